/** Reproducible choices: the same seed gives the same values, on every machine. */

import fc from 'fast-check';

/** So many values of an arbitrary, the same ones for the same seed. */
export function sampled<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

/** Different made-up words of six to ten lower-case ASCII letters, the same ones for the same seed. */
export function seededWords(seed: number, count: number): readonly string[] {
  const consonant = fc.constantFrom(...'bdfgklmnprstvz');
  const vowel = fc.constantFrom(...'aeiou');
  const syllable = fc.tuple(consonant, vowel).map(([first, second]) => first + second);
  const word = fc.array(syllable, { minLength: 3, maxLength: 5 }).map((syllables) => syllables.join(''));
  const words = fc.uniqueArray(word, { minLength: count, maxLength: count, size: 'max' });
  return sampled(fc.noBias(words), seed, 1)[0] ?? [];
}

/** So many rows with a level for each factor (0 to its count - 1), all levels equally likely. */
export function seededRows(counts: readonly number[], seed: number, rows: number): readonly (readonly number[])[] {
  const level = (count: number) => fc.integer({ min: 0, max: count - 1 });
  return rows === 0 ? [] : sampled(fc.noBias(fc.tuple(...counts.map(level))), seed, rows);
}

/** The numbers from 0 to `count` - 1 in an order that depends on the seed. */
export function seededOrder(count: number, seed: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return sampled(fc.noBias(fc.shuffledSubarray(numbers, { minLength: count })), seed, 1)[0] ?? [];
}
