import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LetterSearch } from '../../../src/exchange/letter-search.ts';
import { letterAt, lettersOf } from '../../../src/exchange/letters.ts';
import { foldCase } from '../../../src/exchange/secret-forms.ts';

const LETTERS = 'abc0123AB';
const word = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 5, maxLength: 20 });
const text = fc.string({ unit: fc.constantFrom(...LETTERS, ...'%+/é𝒳 '), maxLength: 40 });
const gap = fc.string({ unit: fc.constantFrom(...' -.,:\u200b\n"é😀'), maxLength: 5 });

function searchFor(...words: readonly string[]): LetterSearch<string> {
  const search = new LetterSearch<string>();
  for (const one of words) search.add(one, one);
  return search;
}

describe('a search by letters', () => {
  test('misses no word, wherever in a text it stands and whatever stands between its letters', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        text,
        text,
        gap,
        fc.nat(4),
        (words, before, after, between, at) => {
          const held = words[at % words.length] ?? '';
          const finds = searchFor(...words).find(before + [...held].join(between) + after);
          const [start, end] = [before.length, before.length + held.length + (held.length - 1) * between.length];
          expect(finds).toContainEqual({ start, end, meant: expect.arrayContaining([held]) });
        },
      ),
    );
  });

  test('finds nothing else', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), text, (words, read) => {
        for (const { start, end, meant } of searchFor(...words).find(read)) {
          for (const one of meant) expect(lettersOf(read.slice(start, end))).toBe(lettersOf(one));
        }
      }),
    );
    expect(searchFor('pcs_org_0123456789').find('{"success":true,"org":"pcs_org_012345678"}')).toEqual([]);
    expect(searchFor('abcdef').find('')).toEqual([]);
  });

  test('says all that was added under the same letters', () => {
    expect(searchFor('abc-def', 'ABC.DEF').find('x abcdef')).toEqual([
      { start: 2, end: 8, meant: ['abc-def', 'ABC.DEF'] },
    ]);
  });

  test('takes no word that it would miss', () => {
    expect(() => searchFor('a-b-c-d')).toThrow(RangeError);
  });

  test('takes a unit for the same letter in either case', () => {
    for (let unit = 0; unit < 0xd800; unit++) {
      const character = String.fromCharCode(unit);
      expect(letterAt(character, 0)).toBe(letterAt(foldCase(character), 0));
    }
    expect(lettersOf('Ｐｃ²-Ⓚ é!')).toBe('pc2k');
  });
});
