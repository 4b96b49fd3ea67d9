import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { abridged, type Bounds } from '../../../src/exchange/abridged.ts';

const WIDE: Bounds = { levels: 1_000, entries: 1_000, string: 1_000, total: 100_000 };
const TIGHT: Bounds = { levels: 2, entries: 2, string: 3, total: 100_000 };

const shortValue = (text: string, bounds: Bounds): unknown => JSON.parse(abridged(text, bounds) ?? 'null');

/** The members of a large error beside those of the envelope. */
const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`name ${at}`, { at: [at] }]));
const ENVELOPE = { success: false, error: { code: 'no', message: 'No.' } };

describe('a text within bounds', () => {
  test('is the same value where it reaches none of them', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
        const value: unknown = JSON.parse(text);
        expect(shortValue(JSON.stringify(value, null, space), WIDE)).toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is JSON of the same kind whatever it reaches', () => {
    const kind = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.integer({ min: 20, max: 60 }), (text, total) => {
        const bounds = { ...TIGHT, total };
        expect(kind(shortValue(text, bounds))).toBe(kind(JSON.parse(text)));
        expect(abridged(abridged(text, bounds) ?? '', bounds)).toBe(abridged(text, bounds));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['empties what nests deeper', '{"a":{"b":{"c":1},"d":[[2]]}}', { a: { b: {}, d: [] } }],
    ['drops late members and items', '{"a":[1,2,3],"b":2,"c":{"d":"]}"}}', { a: [1, 2], b: 2 }],
    ['shortens strings and names', '{"abcdef":"a\\u0062cdef"}', { 'abc…': 'a…' }],
    ['keeps no number without end', `[${'1'.repeat(65)},-1.5e3]`, [0, -1500]],
    ['takes brackets and quotes in strings for letters', '[[["]\\\\"],["\\"]"]],2]', [[[], []], 2]],
  ])('%s', (_, text, value) => expect(shortValue(text, TIGHT)).toEqual(value));

  test('a list of several stays one', () => {
    expect(shortValue('[{"a":1},{"b":2},{"c":3}]', { ...WIDE, total: 2 })).toEqual([{}, {}]);
  });
});

describe('the envelope', () => {
  test.each([
    ['before', { ...ENVELOPE, ...many }],
    ['behind', { ...many, ...ENVELOPE }],
    ['around', { ...many, success: false, error: { ...many, code: 'no', message: 'No.' } }],
  ])('is kept with thousands of members that stand %s it', (_, value) => {
    for (const total of [50, 100_000]) {
      const kept = abridged(JSON.stringify(value), { ...WIDE, entries: 200, total }) ?? '';
      expect(JSON.parse(kept)).toMatchObject(ENVELOPE);
      expect(kept.length).toBeLessThan(total === 50 ? 500 : 10_000);
    }
  });

  test('is kept however its names are escaped, and the last of several counts', () => {
    const text = `{"a":1,"b":2,"\\u0073uccess":true,"success":false,"error":{"x":1,"y":2,"\\u0063ode":"c","message":[]}}`;
    expect(shortValue(text, { ...TIGHT, entries: 1 })).toMatchObject({
      success: false,
      error: { code: 'c', message: [] },
    });
  });

  test('is only looked for where it belongs', () => {
    expect(shortValue('{"a":1,"b":2,"c":{"success":1},"code":3}', TIGHT)).toEqual({ a: 1, b: 2 });
    expect(shortValue('[1,2,"success",{"error":4}]', TIGHT)).toEqual([1, 2]);
  });

  test('that never ends is not kept as text', () => {
    expect(abridged(`{${'"success":false,'.repeat(20_000)}"success":false}`, { ...WIDE, total: 1_000 })).toBeNull();
  });
});

describe('a text without end', () => {
  const bounds: Bounds = { levels: 32, entries: 200, string: 256, total: 65_536 };

  test.each([
    ['lists', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    ['objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
    [
      'wide and deep',
      JSON.stringify(Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => [{ at: [] }, {}]))),
    ],
    ['of empty ones', `[${'{},'.repeat(1_000_000)}[]]`],
    ['of space', `[${' '.repeat(4_000_000)}]`],
    ['that is none', `{"a":[{"b":"${'x'.repeat(1_000_000)}`],
    ['that is not JSON at all', `{]:,${'⟦'.repeat(1_000_000)}"`],
  ])('%s becomes a short one', (_, text) => {
    expect((abridged(text, bounds) ?? '').length).toBeLessThan(70_000);
  });
});
