/** Random strings and numbers that come back from serialization as they were. */

import fc from 'fast-check';
import { type GenerateOptions, isFreeName } from './options.ts';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const CODE_POINTS = 0x110000 - SURROGATES.count;
const SIMPLEST = 'a'.charCodeAt(0);

/**
 * Any character but a lone surrogate, the simplest first. The library's own unit of that kind keeps a table of all
 * million of them, eighty megabytes, for as long as the process lives.
 */
const character: fc.Arbitrary<string> = fc.nat({ max: CODE_POINTS - 1 }).map((at) => {
  const place = (at + SIMPLEST) % CODE_POINTS;
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
});

/** Strings: mostly short and readable, else of any characters but lone surrogates, seldom up to 300 long. */
export function texts(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
    { weight: 3, arbitrary: fc.string({ unit: character, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300, size: 'large' }) },
  );
}

/** Names for pairs of a map: texts and names that objects inherit, but none that a fixed member has. */
export function freeNames(options: GenerateOptions): fc.Arbitrary<string> {
  const inherited = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '');
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
      { weight: 2, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
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
