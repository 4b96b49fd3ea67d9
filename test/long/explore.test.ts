/** Exploration in full size: five hundred lawful variants, and every fault that only a sequence shows. */

import { describe, expect, test } from 'vitest';
import { SEQUENCE_FAULTS } from '../../fixtures/faults/sequences.ts';
import { RUN_DEFAULTS } from '../../src/contract/settings.ts';
import { accusationsOf, foundIn } from '../proof/explorations.ts';
import { batchesOf } from '../proof/samples.ts';
import { brokenIn, judged } from '../selftest/judged.ts';
import { sampleVariants } from '../selftest/sample.ts';

const SEED = 20_250_101;

describe('an exploration accuses no lawful variant', () => {
  test.each(batchesOf(sampleVariants(500, SEED)))('in the sample from $from to $to', async ({ batch }) => {
    const accused: unknown[] = [];
    for (const choices of batch) {
      const accusations = await accusationsOf(choices, 200);
      if (accusations.length > 0) accused.push({ choices, accusations });
    }
    expect(accused).toEqual([]);
  });
});

describe('of the faults that only a sequence shows an exploration finds', () => {
  test.each([
    [60, 8],
    [1_000, 19],
  ])('by %i requests at least %i, with the seed that a run has by default', async (explore, least) => {
    const found: string[] = [];
    for (const fault of SEQUENCE_FAULTS) {
      const { results } = await judged({}, { explore, seed: RUN_DEFAULTS.seed }, fault);
      if (brokenIn(results).length > 0) found.push(fault.name);
    }
    expect(found.length, found.join()).toBeGreaterThanOrEqual(least);
  });
});

/** What one run may explore at most. */
const MOST_REQUESTS = 5_000;

describe(`within ${MOST_REQUESTS} requests an exploration finds what no systematic part is there to show`, () => {
  let shownByChance = 0;

  test('there are at least 25 such faults', () => {
    expect(SEQUENCE_FAULTS.length).toBeGreaterThanOrEqual(25);
  });

  test.each(SEQUENCE_FAULTS)('$name', async (fault) => {
    const { without, found, paths } = await foundIn(fault, MOST_REQUESTS);
    expect(found.length).toBeGreaterThan(0);
    expect(fault.breaks).toEqual(expect.arrayContaining([...found]));
    if (without.length > 0) shownByChance += 1;
    else expect(paths.length).toBeGreaterThan(0);
  });

  test('the systematic part shows one in five of them at most, by chance', () => {
    expect(shownByChance).toBeLessThanOrEqual(SEQUENCE_FAULTS.length / 5);
  });
});
