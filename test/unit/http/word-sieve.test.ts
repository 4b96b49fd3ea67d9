import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WordSieve } from '../../../src/http/word-sieve.ts';

const LEAST = 8;
const word = fc.string({ unit: fc.constantFrom(...'abc%+/é𝒳'), minLength: LEAST, maxLength: 20 });
const text = fc.string({ unit: fc.constantFrom(...'abc%+/é𝒳'), maxLength: 40 });

function sieveOf(...words: readonly string[]): WordSieve {
  const sieve = new WordSieve(LEAST);
  for (const one of words) sieve.add(one);
  return sieve;
}

describe('a sieve of words', () => {
  test('misses no word, wherever in a text it stands', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, text, fc.nat(4), (words, before, after, at) => {
        const held = words[at % words.length] ?? '';
        expect(sieveOf(...words).mayHold(before + held + after)).toBe(true);
      }),
    );
  });

  test('lets a text pass that shares no four letters with a word', () => {
    const sieve = sieveOf('pcs_org_0123456789');
    expect(sieve.mayHold('{"success":true,"data":{"name":"Main trunk"}}')).toBe(false);
    expect(sieve.mayHold('')).toBe(false);
    expect(new WordSieve(LEAST).mayHold('anything at all')).toBe(false);
  });

  test('takes no word that it could miss', () => {
    expect(() => sieveOf('short')).toThrow(RangeError);
    expect(() => new WordSieve(3)).toThrow(RangeError);
  });
});
