/** The trace and the curl line of a finding: what leads from the report into the service, and back. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { curlLine, traceOf } from '../../../src/report/causes.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { MADE } from './made-run.ts';

const tracesOf = async (changes: Parameters<typeof optionsFrom>[1]) => {
  const { service, settings } = createReference();
  const { record } = await judge(service, optionsFrom(settings, { explore: 0, only: ['PATH-SERVED'], ...changes }));
  return record.exchanges.map(traceOf);
};

test('each request has a trace that depends on the seed and its place, and a certification has none', async () => {
  const traces = await tracesOf({ seed: 1 });
  expect(traces.length).toBeGreaterThan(10);
  expect(traces.filter((id) => !/^[0-9a-f]{32}$/.test(id ?? ''))).toEqual([]);
  expect(new Set(traces).size).toBe(traces.length);
  expect((await tracesOf({ seed: 1 })).toSorted()).toEqual(traces.toSorted());
  expect((await tracesOf({ seed: 2 })).filter((id) => traces.includes(id))).toEqual([]);
  expect((await tracesOf({ seed: 1, caseHeader: false })).filter((id) => id !== undefined)).toEqual([]);
});

test.each([
  ["a=1\nPCS_ACCESS_TOKEN='svc_org_1'\r\n", {}, 'svc_org_1'],
  ['PCS_ACCESS_TOKEN=svc_org_2', { PCS_ACCESS_TOKEN: 'svc_org_own' }, 'svc_org_own'],
])('a pasted line takes the credential from %j under %j', (file, env, credential) => {
  const [, exchange] = MADE.exchanges;
  if (exchange === undefined) throw new Error('there is no exchange');
  const plain = {
    ...exchange,
    request: { ...exchange.request, path: '/v1/trunks/', credential: 'valid', headers: [], body: null },
  };
  const line = curlLine(plain as typeof exchange, MADE);
  const cwd = mkdtempSync(join(tmpdir(), 'pcs-pasted-'));
  writeFileSync(join(cwd, '.env'), file);
  const pasted = `curl() { for word in "$@"; do echo "$word"; done; }\n${line}\n`;
  const out = execFileSync('/bin/sh', ['-s'], {
    cwd,
    input: pasted,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  expect(out).toContain(`Authorization: Bearer ${credential}\n`);
});
