/** What readers make of the text of a path: its decodings, its segments, and segments that are dots. */

import { describe, expect, test } from 'vitest';
import { decodings, isDotSegment, segmentsOf, withoutQuery } from '../../../src/contract/path-text.ts';

describe('decodings', () => {
  test.each([
    ['a', ['a']],
    ['%2e%2E', ['%2e%2E', '..']],
    ['%252F', ['%252F', '%2F', '/']],
    ['%c3%a9', ['%c3%a9', 'é']],
    ['%zz', ['%zz']],
  ])('of %s are all its layers', (text, layers) => {
    expect(decodings(text)).toEqual(layers);
  });

  test.each(['%c0%af', '%C1%9c', '%e0%80%af', '%e0%9f', '%f0%80', '%u002f', '%25c0%25af'])(
    'of %s are none that decoders agree on',
    (text) => {
      expect(decodings(text)).toBeNull();
    },
  );

  test.each(['%c2', '%e0%a0', '%f0%90', '%u12', '%u'])('of %s are those that every decoder makes', (text) => {
    expect(decodings(text)).not.toBeNull();
  });

  test('are at most eight layers', () => {
    const nested = (layers: number) => `%${'25'.repeat(layers)}41`;
    expect([decodings(nested(6))?.length, decodings(nested(7))]).toEqual([8, null]);
  });
});

test.each(['.', '..', '...', '.;a', '..?b', '..#', '․', '‥', '．', '.\u200b.', ' .. ', '..;\n'])(
  'the segment %j is dots to some reader',
  (segment) => {
    expect(isDotSegment(segment)).toBe(true);
  },
);

test.each(['', 'a', '.a', 'a.', 'a;..', '.-.', '%2e'])('the segment %j is none of dots', (segment) => {
  expect(isDotSegment(segment)).toBe(false);
});

test('segments end at slashes, backslashes and what looks like them', () => {
  expect(segmentsOf('/a\\b／c＼d')).toEqual(['', 'a', 'b', 'c', 'd']);
});

test('a path ends before its query or fragment', () => {
  expect(['/a?b#c', '/a#b?c', '/a\n?b\nc', '/a'].map(withoutQuery)).toEqual(['/a', '/a', '/a\n', '/a']);
});
