/** Typical values: the few unremarkable ways to fill each member, and a body built from them. */

import type { JsonSchema } from '../contract/schemas.ts';
import { type JsonObject, type JsonValue, objectOf } from './json.ts';
import { type GenerateOptions, isExcluded, isOptional, noPool } from './options.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/** One way to fill a member. */
export interface Choice {
  readonly name: string;
  readonly value: JsonValue;
  /** One of several equivalent values, which take turns. */
  readonly inTurn?: true;
}

/** A member that a valid body may have; an optional one may also be absent. */
export interface Factor {
  readonly member: Member;
  readonly optional: boolean;
  readonly choices: readonly Choice[];
}

/** The choice made for each member, by pointer; a member that is not in the map is absent. */
export type Selection = ReadonlyMap<string, Choice>;

/** One thing that a valid body does: `/privacy: true`, `/trunk_id: absent`. */
export interface ValidFeature {
  readonly pointer: string;
  readonly choice: string;
}

/** A valid body with what is particular about it; `label` says the same in one line. */
export interface LabelledBody {
  readonly value: JsonObject;
  readonly features: readonly ValidFeature[];
  readonly label: string;
}

/** The members that may be sent, in the order of the schema; throws `RangeError` for a required UUID without a pool. */
export function factorsOf(schema: JsonSchema, options: GenerateOptions): readonly Factor[] {
  return membersOf(schema).flatMap((member) => {
    const optional = isOptional(member, options);
    if (optional && isExcluded(member.pointer, options)) return [];
    const choices = choicesOf(member, options);
    if (choices.length === 0 && !optional) throw noPool(member.pointer);
    return choices.length === 0 ? [] : [{ member, optional, choices }];
  });
}

/** The body with the selected members, which have the given features. */
export function bodyOf(factors: readonly Factor[], selection: Selection, features: readonly ValidFeature[]) {
  const value = objectOf(
    factors.flatMap(({ member: { name, pointer } }): [string, JsonValue][] => {
      const choice = selection.get(pointer);
      return choice === undefined ? [] : [[name, choice.value]];
    }),
  );
  const label = features.map(({ pointer, choice }) => `${pointer}: ${choice}`).join(', ');
  return { value, features, label } satisfies LabelledBody;
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

function letterCase(id: string): string {
  if (id === id.toLowerCase()) return 'lower case';
  return id === id.toUpperCase() ? 'upper case' : 'mixed case';
}
