/**
 * Systematic valid bodies: a few typical values for each member, in many combinations and few bodies (conformance
 * model, section 8).
 */

import type { JsonSchema } from '../contract/schemas.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { type GenerateOptions, isExcluded, isOptional } from './options.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/** One way to fill a member. */
interface Filling {
  readonly name: string;
  readonly value: JsonValue;
  /** One of several equivalent values, which take turns. */
  readonly inTurn?: true;
}

/** A member that a valid body may have; an optional one may also be absent. */
interface Factor {
  readonly member: Member;
  readonly optional: boolean;
  readonly choices: readonly Filling[];
}

/** What a member can be, level by level: absent, one value, or one of several that take turns. */
type Levels = readonly (readonly Filling[])[];

/** One thing that a valid body does: `/privacy: true`, `/trunk_id: absent`. */
export interface ValidFeature {
  readonly pointer: string;
  readonly choice: string;
}

/** A valid body, and what distinguishes it. */
export interface ValidBody {
  readonly value: JsonObject;
  readonly features: readonly ValidFeature[];
}

const ABSENT: readonly Filling[] = [];

/**
 * Valid bodies in which any two members show every pair of what they can be: absent, null where that is allowed, each
 * typical value. The ids of a pool count as one value, and take turns. The first body has the required members only.
 */
export function coveringSet(schema: JsonSchema, options: GenerateOptions = {}): readonly ValidBody[] {
  const factors = factorsOf(schema, options);
  const levels = factors.map(levelsOf);
  const turns = factors.map(() => 0);
  return rowsOf(levels.map(({ length }) => length)).map((row) => {
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

/** The members that may be sent, in the order of the schema. */
function factorsOf(schema: JsonSchema, options: GenerateOptions): readonly Factor[] {
  return membersOf(schema).flatMap((member) => {
    const optional = isOptional(member, options);
    if (optional && isExcluded(member.pointer, options)) return [];
    return [{ member, optional, choices: fillingsOf(member, options) }];
  });
}

function levelsOf({ optional, choices }: Factor): Levels {
  const inTurn = choices.filter((choice) => choice.inTurn);
  const single = choices.filter((choice) => !choice.inTurn).map((choice) => [choice]);
  return [...(optional ? [ABSENT] : []), ...(inTurn.length === 0 ? [] : [inTurn]), ...single];
}

/** The level of each factor, in the order of the factors. */
type Row = readonly number[];

/** The smallest prime that is at least the number of levels of each factor and the number of factors less one. */
function orderFor(counts: readonly number[]): number {
  let order = Math.max(2, counts.length - 1, ...counts);
  while (Array.from({ length: order }, (_, at) => at).some((divisor) => divisor > 1 && order % divisor === 0))
    order += 1;
  return order;
}

/**
 * Rows in which any two levels of any two factors meet, for factors with that many levels each: an orthogonal array of
 * strength 2 (Bush). The rows are the points of the plane over the field of a prime order, a factor is one of its
 * pencils of parallel lines, and any two lines of two pencils meet in one point. Four members of three levels take nine
 * rows, the least. The axes of the plane come first: within a quota of seven calls every level was accepted once.
 */
function rowsOf(counts: readonly number[]): readonly Row[] {
  const varying = counts.filter((count) => count > 1);
  const order = orderFor(varying);
  const points = Array.from({ length: order ** 2 }, (_, at) => [Math.floor(at / order), at % order] as const);
  const rows = points
    .toSorted((a, b) => Math.sign(a[0] * a[1]) - Math.sign(b[0] * b[1]))
    .map(([x, y]) => {
      const levels = varying.map((count, at) => ((at === 0 ? x : y + (at - 1) * x) % order) % count).values();
      return counts.map((count) => (count > 1 ? (levels.next().value ?? 0) : 0));
    });
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** The value of each member in a row; `turns` counts how often the values of each member have rotated. */
function chosenIn(levels: readonly Levels[], row: Row, turns: number[]): readonly (Filling | undefined)[] {
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

function fillingsOf({ shape, pointer }: Member, options: GenerateOptions): readonly Filling[] {
  const fixed = options.fixed?.[pointer];
  if (fixed !== undefined) return [{ name: 'fixed', value: fixed }];
  const choices = ownChoices(shape, pointer, options);
  return shape.nullable ? [...choices, { name: 'null', value: null }] : choices;
}

function ownChoices(shape: Scalar | Collection, pointer: string, options: GenerateOptions): readonly Filling[] {
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
      const [empty, label] = shape.kind === 'array' ? [[], 'one item'] : [{}, 'one pair'];
      const inner = typicalValue(shape.inner, innerPointer(pointer, shape), options);
      const value = inner === undefined ? undefined : shape.kind === 'array' ? [inner] : { key: inner };
      return [{ name: JSON.stringify(empty), value: empty }, ...(value === undefined ? [] : [{ name: label, value }])];
    }
  }
}

/** The choice of an id in capital letters. */
export const UPPER_CASE = 'upper case';

const pooled = (ids: readonly string[]): readonly Filling[] =>
  ids.map((value) => ({ name: value === value.toLowerCase() ? 'lower case' : UPPER_CASE, value, inTurn: true }));
