/** Systematic valid bodies: few of them, with many combinations (conformance model, section 8). */

import type { JsonSchema } from '../contract/schemas.ts';
import type { GenerateOptions } from './options.ts';
import { pairwiseRows, type Row } from './pairwise.ts';
import { bodyOf, type Choice, type Factor, factorsOf, type LabelledBody, type Selection } from './typical.ts';

/** What a member can be, level by level: absent, one value, or one of several that take turns. */
type Levels = readonly (readonly Choice[])[];

const ABSENT: readonly Choice[] = [];

/**
 * Valid bodies in which any two members show every pair of what they can be: absent, null where that is allowed, each
 * typical value. The ids of a pool count as one value, and each of them occurs. The first body has the required members
 * only.
 */
export function coveringSet(schema: JsonSchema, options: GenerateOptions = {}): readonly LabelledBody[] {
  const factors = factorsOf(schema, options);
  const levels = factors.map(levelsOf);
  const turns = factors.map(() => 0);
  return withAllTurns(levels, pairwiseRows(levels.map(({ length }) => length))).map((row) => {
    const selection = selectionOf(factors, levels, row, turns);
    const features = factors
      .filter(({ optional, choices }) => optional || choices.length > 1)
      .map(({ member: { pointer } }) => ({ pointer, choice: selection.get(pointer)?.name ?? 'absent' }));
    return bodyOf(factors, selection, features);
  });
}

function levelsOf({ optional, choices }: Factor): Levels {
  const inTurn = choices.filter((choice) => choice.inTurn);
  const single = choices.filter((choice) => !choice.inTurn).map((choice) => [choice]);
  return [...(optional ? [ABSENT] : []), ...(inTurn.length === 0 ? [] : [inTurn]), ...single];
}

/** The rows; the last row of a level whose values take turns is repeated until each of them occurs. */
function withAllTurns(levels: readonly Levels[], rows: readonly Row[]): readonly Row[] {
  const more = levels.flatMap((kinds, at) =>
    kinds.flatMap((choices, level): readonly Row[] => {
      const shown = rows.filter((row) => row[at] === level);
      const last = shown.at(-1);
      return last === undefined ? [] : Array.from({ length: Math.max(0, choices.length - shown.length) }, () => last);
    }),
  );
  return [...rows, ...more];
}

/** The choices of a row; `turns` counts, for each member, how often its values have taken turns. */
function selectionOf(factors: readonly Factor[], levels: readonly Levels[], row: Row, turns: number[]): Selection {
  return new Map(
    factors.flatMap(({ member }, at): [string, Choice][] => {
      const choices = levels[at]?.[row[at] ?? 0] ?? ABSENT;
      const turn = turns[at] ?? 0;
      const choice = choices[turn % choices.length];
      if (choice?.inTurn) turns[at] = turn + 1;
      return choice === undefined ? [] : [[member.pointer, choice]];
    }),
  );
}
