/** Random strings and numbers that come back from serialization as they were. */

import fc from 'fast-check';
import { type GenerateOptions, isFreeName } from './options.ts';

/** Strings: mostly short and readable, else of any characters but lone surrogates, seldom up to 300 long. */
export function texts(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
    { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300, size: 'large' }) },
  );
}

/** Names for pairs of a map: texts and names that objects inherit, but none that a fixed member has. */
export function freeNames(options: GenerateOptions): fc.Arbitrary<string> {
  const inherited = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '');
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
      { weight: 1, arbitrary: inherited },
    )
    .filter((name) => isFreeName(name, options));
}

/** Integers, small ones and those that a double holds exactly. */
export function integers(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: -100, max: 1000 }), fc.integer(), fc.maxSafeInteger());
}

/** Numbers with a fraction. */
export function fractions(): fc.Arbitrary<number> {
  return fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
}
