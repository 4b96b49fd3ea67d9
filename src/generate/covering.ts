/** Systematic valid bodies: few of them, trying many combinations. */

import { pairwiseRows, presenceRows, type Row } from './combine.ts';
import {
  bodyOf,
  type Factor,
  factorsOf,
  featuresOf,
  type Labelled,
  labelOf,
  type Selection,
  type ValidFeature,
} from './factors.ts';
import type { GenerateOptions } from './options.ts';
import type { Choice } from './plain.ts';
import type { SchemaNode } from './schema.ts';
import { shapeOf } from './shape.ts';

/**
 * How much a covering set covers. `presence`: every pair of optional members in all four states of presence, and every
 * choice at least once. `choices`: every pair of choices, absence included; as many bodies as the two largest members
 * multiply to, at least.
 */
export type Depth = 'presence' | 'choices';

/** What a caller decides about a covering set; the depth is `presence` unless it says otherwise. */
export interface CoveringOptions extends GenerateOptions {
  readonly depth?: Depth;
}

/** Valid bodies that cover all pairs at the chosen depth; the first has the required members only. */
export function coveringSet(
  schema: SchemaNode,
  options: CoveringOptions = {},
): readonly Labelled<readonly ValidFeature[]>[] {
  const shape = shapeOf(schema);
  const factors = factorsOf(shape, options);
  const levels = factors.map(({ optional, choices }) => ({ optional, count: choices.length + (optional ? 1 : 0) }));
  const rows = options.depth === 'choices' ? pairwiseRows(levels) : presenceRows(levels);
  return rows.map((row) => {
    const selection = selectionOf(factors, row);
    const features = featuresOf(factors, selection);
    return { value: bodyOf(shape, selection, options), features, label: labelOf(features) };
  });
}

function selectionOf(factors: readonly Factor[], row: Row): Selection {
  return new Map(
    factors.flatMap(({ pointer, optional, choices }, index): [string, Choice][] => {
      const level = row[index] ?? 0;
      const choice = choices[optional ? level - 1 : level];
      return choice === undefined ? [] : [[pointer, choice]];
    }),
  );
}
