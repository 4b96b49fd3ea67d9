/** A service that keeps what it read of a request for the next one on the same connection. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Header, Transport } from '../../src/exchange/message.ts';
import { causesOf } from '../../src/report/causes.ts';
import { curlFacts } from '../../src/report/commands.ts';
import { exampleOf, failingCases } from '../../src/report/model.ts';
import { ON_USED_CONNECTION } from '../../suites/expect/rejection.ts';
import { READS } from '../../suites/operations.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

test('a credential that is accepted after the valid one on its connection is found as that, and curl shows it', async () => {
  const { service, settings } = createReference();
  const alive = transportTo(service);
  const kept = new Map<string, string>();
  const remembered = ([name, value]: Header): Header => {
    if (name.toLowerCase() !== 'authorization') return [name, value];
    const known = kept.get(value.toLowerCase()) ?? value;
    kept.set(known.toLowerCase(), known);
    return [name, known];
  };
  // Reads share a connection; a write, and what asks for it, has one of its own.
  const transport: Transport = (request) => {
    const isShared = request.method === 'GET' && request.fresh !== true;
    return alive(isShared ? { ...request, headers: request.headers.map(remembered) } : request);
  };
  const { record, results } = await judge(service, optionsFrom(settings), skippingClock(), transport);
  await comesOutTheSameToo(record);
  const failing = failingCases(results);
  expect(failing.map(({ result }) => result.id)).toEqual(READS.map((id) => `AUTH-SECRET/${id}`));
  const findings = failing.flatMap(({ result }) => result.findings);
  expect(new Set(findings.map(({ where }) => where))).toEqual(new Set([ON_USED_CONNECTION]));
  const run = { results, exchanges: record.exchanges };
  const [cause] = causesOf(failing, run);
  const example = exampleOf(cause?.finding, run);
  expect(JSON.stringify(curlFacts(example, run, cause?.finding?.where))).toMatch(
    /curl -sS .*"Authorization: Bearer \$PCS_ACCESS_TOKEN\\".* --next -sS .*tr 'a-zA-Z'/,
  );
  expect(JSON.stringify(curlFacts(example, run))).not.toContain('--next');
});
