/**
 * Systematic valid bodies: the few unremarkable ways to fill each member, in many combinations and few bodies (conformance
 * model, section 8).
 */

import type { JsonSchema } from '../contract/schemas.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { type GenerateOptions, isExcluded, isOptional, noPool } from './options.ts';
import { pairwiseRows, type Row } from './pairwise.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/** One way to fill a member. */
interface Choice {
  readonly name: string;
  readonly value: JsonValue;
  /** One of several equivalent values, which take turns. */
  readonly inTurn?: true;
}

/** A member that a valid body may have; an optional one may also be absent. */
interface Factor {
  readonly member: Member;
  readonly optional: boolean;
  readonly choices: readonly Choice[];
}

/** What a member can be, level by level: absent, one value, or one of several that take turns. */
type Levels = readonly (readonly Choice[])[];

/** One thing that a valid body does: `/privacy: true`, `/trunk_id: absent`. */
export interface ValidFeature {
  readonly pointer: string;
  readonly choice: string;
}

/** A valid body with what is particular about it. */
export interface ValidBody {
  readonly value: JsonObject;
  readonly features: readonly ValidFeature[];
}

const ABSENT: readonly Choice[] = [];

/**
 * Valid bodies in which any two members show every pair of what they can be: absent, null where that is allowed, each
 * typical value. The ids of a pool count as one value, and each of them occurs. The first body has the required members
 * only.
 */
export function coveringSet(schema: JsonSchema, options: GenerateOptions = {}): readonly ValidBody[] {
  const factors = factorsOf(schema, options);
  const levels = factors.map(levelsOf);
  const turns = factors.map(() => 0);
  return withAllTurns(levels, pairwiseRows(levels.map(({ length }) => length))).map((row) => {
    const chosen = chosenIn(levels, row, turns);
    const features = factors.flatMap(({ member: { pointer }, optional, choices }, at) =>
      optional || choices.length > 1 ? [{ pointer, choice: chosen[at]?.name ?? 'absent' }] : [],
    );
    const entries = factors.flatMap(({ member }, at): [string, JsonValue][] => {
      const choice = chosen[at];
      return choice === undefined ? [] : [[member.name, choice.value]];
    });
    return { value: Object.fromEntries(entries), features };
  });
}

/** The members that may be sent, in the order of the schema; throws `RangeError` for a required UUID without a pool. */
function factorsOf(schema: JsonSchema, options: GenerateOptions): readonly Factor[] {
  return membersOf(schema).flatMap((member) => {
    const optional = isOptional(member, options);
    if (optional && isExcluded(member.pointer, options)) return [];
    const choices = choicesOf(member, options);
    if (choices.length === 0 && !optional) throw noPool(member.pointer);
    return choices.length === 0 ? [] : [{ member, optional, choices }];
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

/** What each member is in a row; `turns` counts, for each of them, how often its values have taken turns. */
function chosenIn(levels: readonly Levels[], row: Row, turns: number[]): readonly (Choice | undefined)[] {
  return levels.map((kinds, at) => {
    const choices = kinds[row[at] ?? 0] ?? ABSENT;
    const turn = turns[at] ?? 0;
    const choice = choices[turn % choices.length];
    if (choice?.inTurn) turns[at] = turn + 1;
    return choice;
  });
}

/** The typical value of a place, never null or empty; `undefined` for a UUID without a pool. */
export function typicalValue(shape: Scalar | Collection, pointer: string, options: GenerateOptions) {
  return options.fixed?.[pointer] ?? options.typical?.[pointer] ?? ownChoices(shape, pointer, options).at(-1)?.value;
}

function choicesOf({ shape, pointer }: Member, options: GenerateOptions): readonly Choice[] {
  const fixed = options.fixed?.[pointer];
  if (fixed !== undefined) return [{ name: 'fixed', value: fixed }];
  const own = ownChoices(shape, pointer, options);
  return shape.nullable ? [...own, { name: 'null', value: null }] : own;
}

function ownChoices(shape: Scalar | Collection, pointer: string, options: GenerateOptions): readonly Choice[] {
  const typical = options.typical?.[pointer];
  switch (shape.kind) {
    case 'boolean':
      return [false, true].map((value) => ({ name: String(value), value }));
    case 'integer':
      return [{ name: 'plain', value: typical ?? 30 }];
    case 'string':
      return [{ name: 'plain', value: typical ?? 'plain' }];
    case 'uuid':
      return pooled(options.pool?.[pointer] ?? []);
    default: {
      const [empty, one] = shape.kind === 'array' ? [[], 'one item'] : [{}, 'one pair'];
      const inner = typicalValue(shape.inner, innerPointer(pointer, shape), options);
      const filled = inner === undefined ? undefined : shape.kind === 'array' ? [inner] : { key: inner };
      const value = typical ?? filled;
      return [{ name: JSON.stringify(empty), value: empty }, ...(value === undefined ? [] : [{ name: one, value }])];
    }
  }
}

function pooled(ids: readonly string[]): readonly Choice[] {
  const looks = ids.map(letterCase);
  return ids.map((value, at) => {
    const look = looks[at] ?? '';
    const count = looks.slice(0, at + 1).filter((each) => each === look).length;
    return { name: count === 1 ? look : `${look} ${count}`, value, inTurn: true };
  });
}

/** The choice of an id in capital letters. */
export const UPPER_CASE = 'upper case';

function letterCase(id: string): string {
  if (id === id.toLowerCase()) return 'lower case';
  return id === id.toUpperCase() ? UPPER_CASE : 'mixed case';
}
