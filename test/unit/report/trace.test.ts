/** The trace and the curl line of a finding: what leads from the report into the service, and back. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { traceOf } from '../../../src/report/commands.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

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
