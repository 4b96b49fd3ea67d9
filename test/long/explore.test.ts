/** Exploration in full size: five hundred lawful variants, every fault that only a sequence shows, flat memory. */

import { describe, expect, test } from 'vitest';
import { SEQUENCE_FAULTS } from '../../fixtures/faults/sequences.ts';
import { sampleVariants } from '../../src/selftest/sample.ts';
import { live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';
import { accusationsOf, foundIn } from '../proof/explorations.ts';
import { batchesOf } from '../proof/samples.ts';
import { proveSharing } from '../proof/sharing.ts';

const SEED = 20_250_101;
const MOST_MEMORY = 300;

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

proveSharing({ explore: 1_000 });

describe('within 2,000 requests an exploration finds what no systematic part shows', () => {
  test('there are at least 25 such faults', () => {
    expect(SEQUENCE_FAULTS.length).toBeGreaterThanOrEqual(25);
  });

  test.each(SEQUENCE_FAULTS)('$name', async (fault) => {
    const { without, found, paths } = await foundIn(fault, 2_000);
    expect(without).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
    expect(fault.breaks).toEqual(expect.arrayContaining([...found]));
    expect(paths.length).toBeGreaterThan(0);
  });
});

test('100,000 requests need less than 300 MiB', async () => {
  await live({}, async ({ env }) => {
    const run = await measured(['run', '--profile', 'full', '--explore', '100000', '--quiet'], env);
    expect(run.code).toBe(0);
    expect(run.peak).toBeLessThan(MOST_MEMORY);
  });
});
