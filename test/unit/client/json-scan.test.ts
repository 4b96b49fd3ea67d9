/** What a scan of a body holds, and which bytes make a body unreadable because decoders disagree on them. */

import { describe, expect, test } from 'vitest';
import { scanJson } from '../../../src/client/safety/json-scan.ts';

const scanned = (body: string) => scanJson(Buffer.from(body, 'latin1'));

describe('a scan', () => {
  test('holds names, strings and numbers, and neither marks nor what is cut', () => {
    const texts = (body: string) => scanned(body)?.texts.map(({ text, start }) => [text, start]);
    expect(texts(`{"a":[1,true],b:'c'}`)).toEqual([
      ['a', 1],
      ['1', 6],
      ['true', 8],
      ['b', 14],
      ['c', 16],
    ]);
    expect(texts('{"a":12.')).toEqual([['a', 1]]);
  });

  test('holds each member with its value as written, and without one where the body ends', () => {
    expect(scanned('{"a":{"b": "c"},"d":')?.members).toEqual([
      { name: 'b', raw: '"c"', start: 11, end: 14 },
      { name: 'a', raw: '{"b": "c"}', start: 5, end: 15 },
      { name: 'd', raw: '', start: 19, end: 20 },
    ]);
    expect(scanned('[1,{"a":2}]')?.members.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a value', () => {
  const values = (raw: string) => scanned(`{"a":${raw}}`)?.members.map((member) => member.raw);

  test.each([
    ...['0', '-0', '7', '-120', '1.5', '1.25', '10.0', '1e5', '1E+10', '1.25e-10', '2e12'],
    ...['true', 'null', 'NaN', 'goto', 'tomorrow', '$a_B', "'a b_C.+-9'", "''", '"\\u00e9\\n"', '"to"', '[]', '{}'],
  ])('%s is kept as it is written', (raw) => {
    expect(values(raw)).toEqual([raw]);
  });

  test.each([
    ...['01', '-01', '1.', '.5', '+1', '1e', '0x10', '1_0', '1.2.3', '-', '--1', '1a', 'a1', '1-'],
    ...["'a\"b'", "'a", '"\\x41"', '"\\u12g4"', '"a\tb"', 'to', 'from', 'FROM', '`a`', '(1)'],
  ])('%s is none that every parser reads', (raw) => {
    expect(values(raw)).toBeUndefined();
  });

  test.each([' ', '\t\r\n  ', '/* a Comment */', '/**/', '// a Comment\n', '//\n', '/* a */ // b\n /* c */'])(
    'may have %j around it',
    (space) => {
      expect(values(`${space}"b"${space}`)).toEqual(['"b"']);
    },
  );

  test.each([
    ...['{"a":,}', '{,"a":1}', '{"a"::1}', '{"a":1:2}', '{:1}', '[,1]', '[1,,2]', '{1:2}', '{"a" "b"}', '[1 2]'],
    ...['{{}}', '{"a"{}}', '[1[]]', '[1{}]', '[1}', '{"a":1]', '{"a"}', '{"a":}', '{"a":[1}}', '{-', '{"a":1,/'],
  ])('is not found in %s, which no two parsers need to read alike', (body) => {
    expect(scanned(body)).toBeNull();
  });

  test('may be followed by any comma behind the body', () => {
    expect(scanned('{"a":1},,')?.members).toHaveLength(1);
  });

  test('may be followed by a comment to the end of the body, and not by one that holds more than words', () => {
    expect(scanned('{"a":1}// a Comment')?.members).toHaveLength(1);
    expect(scanned('{"a":1/* 2 */}')).toBeNull();
    expect(scanned('{"a":1// 2\n}')).toBeNull();
  });

  test.each(['"b', '"b\\', '"b\\u', '"b\\u00e', '-', '1.', '-1.', '1e', '1.25e+', '/', '/*', '/* a ', '/* a *'])(
    '%s may be cut',
    (raw) => {
      expect(scanned(`{"a":${raw}`)?.members.map((member) => member.raw)).toEqual(['']);
    },
  );
});

describe('a body', () => {
  test.each(['\xc0\xa2', '\xc1\x9c', '\xe0\x82\xa2', '\xe0\x9f\x80', '\xf0\x82\x82\xa2', '\xf0\x8f\xbf\xbf'])(
    'with the overlong form %j cannot be read',
    (overlong) => {
      expect(scanned(`{"a":"${overlong}"}`)).toBeNull();
    },
  );

  test.each(['\xc3', '\xe1', '\xe1-', '\xf1', '\xf1-', '\xf1--', '\xf9', '\xf9-', '\xf9--', '\xf9---', '\xf9----'])(
    'whose end %j would take the quotation mark along cannot be read',
    (end) => {
      expect(scanned(`{"a":"${end}"`)).toBeNull();
      expect(scanned(`{"a":"${end}\\\\-----"`)).toBeNull();
    },
  );

  test.each(['é', 'ࠀ', '€', '😀', '𐀀'])('with the whole character %s can be read', (character) => {
    expect(scanJson(Buffer.from(`{"a":"${character}"}`))).not.toBeNull();
  });
});
