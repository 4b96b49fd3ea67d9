import { describe, expect, test } from 'vitest';
import { type Described, spread } from '../../../src/generate/spread.ts';

const grid = (sizes: readonly number[]): readonly Described<string>[] =>
  sizes
    .reduce<readonly (readonly number[])[]>(
      (rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, at) => [...row, at])),
      [[]],
    )
    .map((row) => ({ item: row.join(), features: row.map((level, factor) => `${factor}=${level}`) }));

const VALUES = ['a', 'b', 'c'] as const;

function pairsOf(described: readonly Described<string>[]): ReadonlySet<string> {
  const chosen = spread(described, VALUES);
  return new Set(
    described.flatMap(({ item, features }) => {
      const value = chosen.get(item);
      return value === undefined ? [] : features.map((feature) => `${feature} ${value}`);
    }),
  );
}

describe('values that ride on items', () => {
  test.each([[[4, 3]], [[13, 18]], [[5, 4, 3]]])('meet every feature of a grid of %j', (sizes) => {
    const pairs = sizes.flatMap((size, factor) =>
      Array.from({ length: size }, (_, level) => VALUES.map((value) => `${factor}=${level} ${value}`)).flat(),
    );
    expect(pairs.filter((pair) => !pairsOf(grid(sizes)).has(pair))).toEqual([]);
  });

  test('meet a feature of few items as often as it has items', () => {
    const described = [
      { item: 'one', features: ['rare'] },
      { item: 'two', features: ['rare'] },
    ];
    expect([...spread(described, VALUES)]).toEqual([
      ['one', 'a'],
      ['two', 'b'],
    ]);
  });
});
