/** Systematic valid bodies: few of them, trying many combinations (conformance model, section 8). */

import { type Levels, pairwiseRows, type Row } from './combine.ts';
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

/** What a factor can be, level by level: absent, one thing, or one of several that take turns. */
type Kinds = readonly (readonly Choice[])[];

const ABSENT: readonly Choice[] = [];

/**
 * Valid bodies in which any two members show every pair of what they can be: absent, null where that is allowed, each
 * plain value. The ids of a pool count as one value, and each of them occurs. The first body has the required members
 * only.
 */
export function coveringSet(
  schema: SchemaNode,
  options: GenerateOptions = {},
): readonly Labelled<readonly ValidFeature[]>[] {
  const shape = shapeOf(schema);
  const factors = factorsOf(shape, options);
  const kinds = factors.map(kindsOf);
  const turns = factors.map(() => 0);
  return withAllTurns(kinds, pairwiseRows(kinds.map(levelsOf))).map((row) => {
    const selection = selectionOf(factors, kinds, row, turns);
    const features = featuresOf(factors, selection);
    return { value: bodyOf(shape, selection, options), features, label: labelOf(features) };
  });
}

const levelsOf = ({ length }: Kinds): Levels => ({ count: length });

function kindsOf({ optional, choices }: Factor): Kinds {
  const alike = choices.filter(({ inTurn }) => inTurn === true);
  const single = choices.filter(({ inTurn }) => inTurn !== true).map((choice) => [choice]);
  return [...(optional ? [ABSENT] : []), ...(alike.length === 0 ? [] : [alike]), ...single];
}

/** The rows, and the last that shows a kind again until each of those that take turns there has had one. */
function withAllTurns(kinds: readonly Kinds[], rows: readonly Row[]): readonly Row[] {
  const more = kinds.flatMap((levels, at) =>
    levels.flatMap((choices, level): readonly Row[] => {
      const shown = rows.filter((row) => row[at] === level);
      const last = shown.at(-1);
      return last === undefined ? [] : Array.from({ length: Math.max(0, choices.length - shown.length) }, () => last);
    }),
  );
  return [...rows, ...more];
}

/** What a row chooses; `turns` counts, for each factor, the choices made of those that take turns. */
function selectionOf(factors: readonly Factor[], kinds: readonly Kinds[], row: Row, turns: number[]): Selection {
  return new Map(
    factors.flatMap(({ pointer }, at): [string, Choice][] => {
      const choices = kinds[at]?.[row[at] ?? 0] ?? ABSENT;
      const turn = turns[at] ?? 0;
      const choice = choices[turn % choices.length];
      if (choice?.inTurn === true) turns[at] = turn + 1;
      return choice === undefined ? [] : [[pointer, choice]];
    }),
  );
}
