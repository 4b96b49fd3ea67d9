/** A run is a function of its seed and the target's answers: every recorded run can be run again without its target. */

import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { NULLS } from '../../fixtures/null/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { rerun } from '../../src/run/rerun.ts';
import { judge, optionsFrom, skippingClock } from '../../src/selftest/harness.ts';
import { judged } from '../../src/selftest/judged.ts';
import { singleVariants } from '../../src/selftest/sample.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { evaluate, SUITE } from '../../suites/index.ts';

/** Through JSON and back, as a file holds it. */
const stored = (record: RunRecord): RunRecord => JSON.parse(JSON.stringify(record));

/** Runs the record again and demands the same results. */
async function comesOutTheSame(record: RunRecord): Promise<void> {
  const again = await rerun(stored(record), SUITE);
  expect(again.exchanges.length).toBe(record.exchanges.length);
  expect(JSON.stringify(evaluate(again))).toBe(JSON.stringify(evaluate(stored(record))));
}

describe('a recorded run comes out the same', () => {
  test.each(FAULTS.map((fault) => [fault.name, fault] as const))('with the fault %s', async (_, fault) => {
    await comesOutTheSame((await judged({}, {}, fault)).record);
  });

  test.each(singleVariants().map((choices) => [JSON.stringify(choices), choices] as const))(
    'of the variant %s',
    async (_, choices) => {
      await comesOutTheSame((await judged(choices)).record);
    },
  );

  test.each(NULLS.map((service) => [service.name, service] as const))('of the null service %s', async (_, service) => {
    const { settings } = createReference();
    await comesOutTheSame((await judge(service.make(settings), optionsFrom(settings), skippingClock())).record);
  });
});
