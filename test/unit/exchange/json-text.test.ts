import { describe, expect, test } from 'vitest';
import { decodeText, isDeeperThan, jsonFault, parsedJson, parseJson } from '../../../src/exchange/json-text.ts';

describe('what is wrong with a text', () => {
  test.each([
    ['', 'it ends before the JSON value is complete'],
    ['{"a":', 'it ends before the JSON value is complete'],
    ['tru', 'it ends before the JSON value is complete'],
    ['{"a":1', 'it ends before the JSON value is complete'],
    ['["a', 'it ends before the JSON value is complete'],
    ['["a\\n', 'it ends before the JSON value is complete'],
    ['{"a":1} x', 'more follows after the JSON value'],
    ['["\\u00e9a\nb"]', 'a string holds a control character that is not escaped'],
    ['["\\x"]', 'it is not a JSON value'],
    ['[1,]', 'it is not a JSON value'],
    ['404 page not found', 'it is not a JSON value'],
    ['{"a":NaN}', 'it is not a JSON value'],
    ["{'a':1}", 'it is not a JSON value'],
    ['\ufeff{}', 'it is not a JSON value'],
    ['[1}', 'it is not a JSON value'],
  ])('%j: %s', (text, reason) => expect(jsonFault(text)).toBe(reason));
});

describe('the value of a text', () => {
  test.each([
    ['is there for 10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000), null],
    [
      'is not there for one more, however much follows',
      `${'{"a":['.repeat(5_000)}[${'0,'.repeat(5_000)}`,
      'it has more than 10,000 levels',
    ],
    ['counts no bracket within a string', `["${'['.repeat(30_000)}\\"${'{'.repeat(30_000)}"]`, null],
    ['counts what is open, not what was', `[${'[],{},'.repeat(30_000)}0]`, null],
  ])('%s', (_, text, fault) => {
    expect([jsonFault(text), parsedJson(text) === undefined]).toEqual([fault, fault !== null]);
  });

  test.each([
    [3, '[[],{"a":[]},0]'],
    [10_000, '['.repeat(10_000) + ']'.repeat(10_000)],
    [1, `["${'['.repeat(30_000)}"]`],
    [2, `[${'[],'.repeat(30_000)}0]`],
    [0, '"["'],
  ])('has %i levels', (levels, text) => {
    expect(isDeeperThan(levels, parsedJson(text))).toBe(false);
    expect(isDeeperThan(levels - 1, parsedJson(text))).toBe(levels > 0);
  });
});

test.each([
  ['{"a": [1, 2,]}', 1, 13],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{\n  "a": 1', 2, 9],
  ['{"a": "\u0001"}', 1, 8],
  ['', 1, 1],
  ['[]]', 1, 3],
])('%j breaks off at line %i, column %i', (text, line, column) => {
  expect(() => parseJson(text, 'x.json')).toThrow(`x.json is not valid JSON (line ${line}, column ${column}): name`);
});

test('up to 1,000 broken bytes of a text are shown', () => {
  const shown = (count: number) => decodeText(Buffer.from(`a${'\xff'.repeat(count)}ä`, 'latin1')).text;
  expect(decodeText(Buffer.from('aä')).text).toBe('aä');
  expect(decodeText(Buffer.from(`\xff${'a'.repeat(65_536)}`, 'latin1')).text.slice(0, 2)).toBe('\ufffda');
  expect([shown(999), shown(1_000)]).toEqual([`a${'⟦byte ff⟧'.repeat(999)}⟦byte e4⟧`, `a${'\ufffd'.repeat(1_001)}`]);
});
