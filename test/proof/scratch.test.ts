import { test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
test('x', async () => {
  const { service, settings, inspect } = createReference();
  const before = JSON.stringify(inspect().restorable, null, 1);
  const { record, results } = await judge(service, optionsFrom(settings));
  const after = JSON.stringify(inspect().restorable, null, 1);
  console.log(before === after, record.exchanges.length, record.calls, results.verdict, results.changed, record.errors, record.skipped.map((x) => x.sequence + ': ' + x.reason));
  if (before !== after) console.log(before, after);
});
