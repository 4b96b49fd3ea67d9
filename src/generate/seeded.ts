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
