/** A run is a function of its seed and the target's answers: every recorded run can be run again without its target. */

import { describe, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { NULLS } from '../../fixtures/null/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { judged } from '../selftest/judged.ts';
import { singleVariants } from '../selftest/sample.ts';
import { comesOutTheSame } from './again.ts';
import { partOf } from './samples.ts';

/** Registers the proof for part `part` of `parts` of the faults, the single choices and the null services. */
export function proveReruns(part: number, parts: number): void {
  const faults = partOf(FAULTS, part, parts).map((fault) => [fault.name, fault] as const);
  const variants = partOf(singleVariants(), part, parts).map((choices) => [JSON.stringify(choices), choices] as const);
  const nulls = partOf(NULLS, part, parts).map((service) => [service.name, service] as const);

  describe('a recorded run comes out the same', () => {
    test.each(faults)('with the fault %s', async (_, fault) => {
      await comesOutTheSame((await judged({}, {}, fault)).record);
    });

    test.each(variants)('of the variant %s', async (_, choices) => {
      await comesOutTheSame((await judged(choices)).record);
    });

    test.each(nulls)('of the null service %s', async (_, service) => {
      const { settings } = createReference();
      await comesOutTheSame((await judge(service.make(settings), optionsFrom(settings), skippingClock())).record);
    });
  });
}
