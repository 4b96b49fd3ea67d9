/** Which names and texts the most lenient reader takes for a number to dial or an id, and which it does not. */

import { describe, expect, test } from 'vitest';
import { dialRoles, hidesFormField, hidesMember } from '../../../src/client/safety/json-scan.ts';

describe('a member name', () => {
  test.each([
    ['to', ['to']],
    ['FROM', ['from']],
    ['call.to', ['to']],
    ['to[]', ['to']],
    ['from..to', ['to', 'from']],
    ['ｔｏ', ['to']],
    ['t\u200bo', ['to']],
    ['töo', ['to']],
    ['t-o', ['to']],
    ['application_id', ['application']],
    ['x-Trunk--Id', ['trunk']],
    ['trunkId', ['trunk']],
    ['ａpplication_id', ['application']],
    ['application_ids', []],
    ['trunk_idea', []],
    ['auto', []],
    ['tom', []],
    ['fromage', []],
    ['id', []],
  ])('%j has the roles %j', (name, roles) => {
    expect(dialRoles(name)).toEqual(roles);
  });
});

describe('a text', () => {
  const HIDES = [
    'to=1',
    'from =1',
    'a&to=1',
    'x from\t = 1',
    'TO[]=1',
    'to%3D1',
    '%74o%253d1',
    'ｔｏ=1',
    'ｔｏ＝',
    '%ef%bd%94o=1',
    't\\o=1',
  ];
  const PLAIN = ['auto=1', 'tom=1', 'to be=1', 'to; a=1', 'from', 'a=to', 'to%', 'é', '=to'];

  test.each(HIDES)('%j hides a form field', (text) => {
    expect([hidesFormField(text), hidesMember(text)]).toEqual([true, true]);
  });

  test.each([
    'to:1',
    'to  : 1',
    '{"from":1}',
    '{\\"to\\":1}',
    '\\u0074o:1',
    'a\\u0026to\\u003d1',
    '\\x74o\\x3d1',
    "to':1",
    'ｔｏ:1',
    'ｔｏ：',
    'to\u00a0: 1',
  ])('%j hides a member and no form field', (text) => {
    expect([hidesFormField(text), hidesMember(text)]).toEqual([false, true]);
  });

  test.each(PLAIN)('%j hides nothing', (text) => {
    expect([hidesFormField(text), hidesMember(text)]).toEqual([false, false]);
  });

  test('whose escapes nest too deep counts as hiding one', () => {
    const nested = (layers: number) => `%${'25'.repeat(layers)}41`;
    expect([hidesMember(nested(6)), hidesMember(nested(7)), hidesFormField(nested(8))]).toEqual([false, true, true]);
  });
});
