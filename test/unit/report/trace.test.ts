/** The trace and the curl line of a finding: what leads from the report into the service, and back. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { curlFacts, traceOf } from '../../../src/report/commands.ts';
import { responseLines } from '../../../src/report/messages.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { bodyOf, exchangeOf, type Said } from '../rules/exchanges.ts';
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

const UPDATE: Said = { status: 422, request: { body: bodyOf({ name: 'a' }) } };
const HANG_UP: Said = {
  status: 404,
  tag: { operation: 'hangUpCall' },
  request: { method: 'POST', path: '/v1/calls/1/hangup' },
};

test.each<readonly [string, Said, readonly Said[], number]>([
  ['an update that was rejected', UPDATE, [], 1],
  ['one that was rejected otherwise before', UPDATE, [{ ...UPDATE, status: 409 }], 0],
  ['one that was put off before', UPDATE, [{ ...UPDATE, status: 503 }], 1],
  ['one that was put off', { ...UPDATE, status: 503 }, [], 0],
  ['one that was sent beside another', { ...UPDATE, tag: { role: 'beside' } }, [], 0],
  ['a hang-up that was rejected', HANG_UP, [], 1],
  ['a hang-up that was accepted', { ...HANG_UP, status: 200 }, [], 0],
])('of %s a line does the same as the run, or there is none', (_, said, before, lines) => {
  const sent = [...before, said].map(exchangeOf);
  expect(curlFacts(sent.at(-1), { ...MADE, exchanges: sent })).toHaveLength(lines);
});

test('a line leaves out the agent of the suite alone', () => {
  const headers = [
    ['User-Agent', 'pcs-conformance/1.0'],
    ['User-Agent', 'gateway-client/2'],
    ['X-Client', 'pcs-conformance/1.0'],
  ] as const;
  const exchange = exchangeOf({ ...UPDATE, request: { ...UPDATE.request, headers } }, 0);
  const line = JSON.stringify(curlFacts(exchange, { ...MADE, exchanges: [exchange] }));
  expect(line).toMatch(/gateway-client.*X-Client: pcs-conformance/);
  expect(line).not.toMatch(/User-Agent: pcs-conformance/);
});

// A target with 300 fields: the reader looked for the one that was asked about, in a list that looked whole.
test('a response says where some of its header fields were not kept', () => {
  const exchange = exchangeOf({ headers: [['x-first', '1']] }, 0);
  const { response } = exchange;
  if (response === null) throw new Error('no response');
  const lines = (headersCut: object) =>
    responseLines({ ...exchange, response: { ...response, ...headersCut } }, 'long');
  expect(lines({ headersCut: true })).toEqual(lines({}).toSpliced(2, 0, '… (some fields were not kept)'));
});
