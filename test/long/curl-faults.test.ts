/** The printed curl line of a failure, run by a real shell with the real curl, shows the status that the run saw. */

import { execFile } from 'node:child_process';
import { expect, test as vitestTest } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { listen } from '../../fixtures/service/serve.ts';
import type { Service, ServiceRequest } from '../../fixtures/service/types.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { curlLine } from '../../src/report/commands.ts';
import { exampleOf } from '../../src/report/model.ts';
import type { Results } from '../../src/verdict/results.ts';
import { lacks } from '../programs.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const test = vitestTest.skipIf(lacks('curl', import.meta.url));

/**
 * Faults that show only while other requests are under way: a line by hand asks alone. Those that break off the answer
 * are left out as well, since there is no status to compare.
 */
const NEEDS_COMPANY: readonly string[] = [
  'unguarded-under-load',
  'crash-under-concurrency',
  'hang-ups-race',
  'answers-race',
  'mutes-race',
  'java-unique-index',
  'pool-of-two-connections',
  'pool-of-three-connections',
  'pool-of-five-connections-page',
  'hang-ups-race-page',
  'trunk-lock-page',
  'node-organization-of-the-module',
  'caller-in-a-field',
];

interface Shown {
  readonly results: Results;
  readonly example: Exchange;
  /** The name of another trunk, which the record does not keep, where the request writes it. */
  readonly written: string;
  /** Every request that the service had before it, byte for byte. */
  readonly before: readonly ServiceRequest[];
}

/** What stands in a line in place of the name of another trunk: the reader fills it in. */
const ANOTHER_NAME = '⟦name of another trunk⟧';

/** The first failure with a status, and what went before it. */
async function shownBy(fault: Fault): Promise<Shown> {
  const { service, settings } = planted(fault, createReference());
  const requests: ServiceRequest[] = [];
  const noting: Service = (request) => {
    requests.push(request);
    return service(request);
  };
  const { record, results } = await judge(noting, optionsFrom(settings));
  const findings = results.requirements.flatMap(({ cases }) => cases).flatMap((one) => one.findings);
  const examples = findings.map((finding) => exampleOf(finding, { results, exchanges: record.exchanges }));
  const example = examples.find((one) => one !== undefined && one.response !== null);
  if (example === undefined) throw new Error('no failure has a status');
  const { method, target, body } = requests[example.seq - 1] ?? {};
  expect(`${method} ${target}`).toContain(`${example.request.method} ${example.request.path.split('?')[0]}`);
  const isLeftOut = example.request.body?.text?.includes(ANOTHER_NAME) === true;
  const written = isLeftOut ? String(JSON.parse(Buffer.from(body ?? []).toString()).name) : '';
  return { results, example, written, before: requests.slice(0, example.seq - 1) };
}

/** What a shell shows that runs the line: the status, or what curl says instead. */
function statusShown(line: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { env, encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 }, (_error, out, err) => {
      resolve(/^HTTP\/[\d.]+ (\d{3})/.exec(out)?.[1] ?? err);
    });
  });
}

/** Faults whose first failure can be shown by a line alone. */
const SHOWN_BY_HAND: readonly Fault[] = FAULTS.filter(
  ({ name, breaks }) => !NEEDS_COMPANY.includes(name) && !breaks.includes('RESPONSE-COMPLETE'),
);

test.each(SHOWN_BY_HAND)('the curl line of a failure shows the status of $name', async (fault) => {
  const { results, example, written, before } = await shownBy(fault);
  const { service, settings } = planted(fault, createReference());
  for (const request of before) await service(request);
  const { url, close } = await listen(service);
  try {
    const line = curlLine(example, { results: { ...results, target: url } }).replace(ANOTHER_NAME, written);
    const env = { PATH: process.env['PATH'], ...settings, no_proxy: '*' };
    expect(await statusShown(line, env)).toBe(String(example.response?.status));
  } finally {
    await close();
  }
});

test('the faults that need company exist', () => {
  expect(NEEDS_COMPANY.filter((name) => !FAULTS.some((fault) => fault.name === name))).toEqual([]);
});
