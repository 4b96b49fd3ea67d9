import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonText, readJson } from '../../../src/exchange/json-text.ts';

const isParsed = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Pieces of which both JSON and near misses are made. */
const PIECES = '[ ] { } , : "" "a" "\\u00e9" "\\x" "\n" 0 -1 01 1.5 1. .5 1e5 1e true false nul null " \t'.split(' ');

describe('the grammar, compared with the parser of the language', () => {
  test.each([
    '',
    ' ',
    '[]',
    ' [ ] ',
    '{}',
    '{"a":[1,{"b":null}]}',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '[}',
    '1 2',
    '"\u0001"',
    '\u00a0[]',
  ])('agrees on %j', (text) => expect(isJsonText(text)).toBe(isParsed(text)));

  test('agrees on every value and on what one edit makes of it', () => {
    const edited = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ...PIECES)).map(([text, at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), edited), (text) => isJsonText(text) === isParsed(text)),
      { numRuns: 5_000 },
    );
  });

  test('agrees on any pieces in a row', () => {
    const rows = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(rows, (text) => isJsonText(text) === isParsed(text)),
      { numRuns: 20_000 },
    );
  });

  test('reads levels without end', () => {
    expect(isJsonText('['.repeat(500_000) + ']'.repeat(500_000))).toBe(true);
    expect(isJsonText('['.repeat(500_000) + ']'.repeat(499_999))).toBe(false);
    const mixed = '[{"a":[[{"b":'.repeat(20_000);
    expect(isJsonText(`${mixed}1${'}]]}]'.repeat(20_000)}`)).toBe(true);
    expect(isJsonText(`${mixed}1${'}]]}]'.repeat(19_999)}}]]]]`)).toBe(false);
    expect(isJsonText(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)).toBe(true);
  });
});

describe('what is wrong with a text', () => {
  test.each([
    ['{"a":1', 'it ends before the JSON value is complete'],
    ['["a', 'it ends before the JSON value is complete'],
    ['["a\\n', 'it ends before the JSON value is complete'],
    ['{"a":1} x', 'more follows after the JSON value'],
    ['["\\u00e9a\nb"]', 'a string holds a control character that is not escaped'],
    ['["\\x"]', 'it is not a JSON value'],
    ['[1,]', 'it is not a JSON value'],
    ['[1}', 'it is not a JSON value'],
  ])('%j: %s', (text, reason) => expect(readJson(text).fault).toBe(reason));
});

describe('the levels of a text', () => {
  test.each([
    ['are those that are open at once', '[[],{"a":[]},0]', 3],
    ['are ten thousand and one', '['.repeat(10_001) + ']'.repeat(10_001), 10_001],
    ['are not made by brackets in a string', `["${'['.repeat(30_000)}"]`, 1],
    ['are not made by a quote behind a backslash', `["\\"${'['.repeat(30_000)}"]`, 1],
    ['do not add up where they end again', `[${'[],'.repeat(30_000)}0]`, 2],
  ])('%s', (_, text, levels) => expect(readJson(text)).toEqual({ fault: null, levels }));
});
