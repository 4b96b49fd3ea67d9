/** Reproducible choices: the same seed gives the same values, on every machine. */

import fc from 'fast-check';

/** That many values of an arbitrary. */
export function sampled<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

/** That many rows with a level for each factor (0 to its count - 1), all levels equally likely. */
export function seededRows(counts: readonly number[], seed: number, rows: number): readonly (readonly number[])[] {
  const level = (count: number) => fc.integer({ min: 0, max: count - 1 });
  return rows === 0 ? [] : sampled(fc.noBias(fc.tuple(...counts.map(level))), seed, rows);
}

/** The numbers from 0 to `count` - 1 in an order that depends on the seed. */
export function seededOrder(count: number, seed: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return sampled(fc.noBias(fc.shuffledSubarray(numbers, { minLength: count })), seed, 1)[0] ?? [];
}
