/** Plain values: the few unremarkable ways to fill a place, each with a name. */

import { type JsonObject, type JsonValue, objectOf } from './json.ts';
import { entryAt, type GenerateOptions, isExcluded } from './options.ts';
import { itemPointer, memberPointer, valuePointer } from './pointer.ts';
import { isMap, type ObjectShape, type Shape } from './shape.ts';

/** One way to fill a place. */
export interface Choice {
  readonly name: string;
  readonly value: JsonValue;
  /** One of several that are alike to whoever combines them: they take turns. */
  readonly inTurn?: true;
}

const WORD = 'plain';
const NUMBER = 30;
const PAIR = 'key';

/** All plain ways to fill a place, null last where it is allowed; none for a UUID without a pool and not nullable. */
export function choicesOf(shape: Shape, pointer: string, options: GenerateOptions): readonly Choice[] {
  const fixed = entryAt(options.fixed, pointer);
  if (fixed !== undefined) return [{ name: 'fixed', value: fixed }];
  const own = ownChoices(shape, pointer, options);
  return shape.nullable && shape.kind !== 'any' ? [...own, { name: 'null', value: null }] : own;
}

/** The one plain value of a place, its fullest and never null; `undefined` for a UUID without a pool. */
export function plainOf(shape: Shape, pointer: string, options: GenerateOptions): JsonValue | undefined {
  return (
    entryAt(options.fixed, pointer) ??
    entryAt(options.plain, pointer) ??
    ownChoices(shape, pointer, options).at(-1)?.value
  );
}

/** The object with all members that must be there, and with the optional ones too if asked. */
export function plainMembers(
  shape: ObjectShape,
  pointer: string,
  options: GenerateOptions,
  extent: 'required' | 'all',
): JsonObject {
  return objectOf(
    shape.members.flatMap((member): [string, JsonValue][] => {
      const at = memberPointer(pointer, member.name);
      if (!member.required && (extent === 'required' || isExcluded(at, options))) return [];
      const value = plainOf(member.shape, at, options);
      if (value !== undefined) return [[member.name, value]];
      if (!member.required) return [];
      if (!member.shape.nullable) throw noPool(at);
      return [[member.name, null]];
    }),
  );
}

/** The error for a required UUID that no pool names. */
export function noPool(pointer: string): RangeError {
  return new RangeError(`${pointer} needs a UUID: name one in the pool or fix it`);
}

function ownChoices(shape: Shape, pointer: string, options: GenerateOptions): readonly Choice[] {
  const plain = entryAt(options.plain, pointer);
  switch (shape.kind) {
    case 'constant':
      return [{ name: 'constant', value: shape.value }];
    case 'boolean':
      return [false, true].map((value) => ({ name: String(value), value }));
    case 'integer':
    case 'number':
      return [{ name: 'plain', value: plain ?? NUMBER }];
    case 'string':
      return shape.uuid ? pooled(pointer, options) : [{ name: 'plain', value: plain ?? WORD }];
    case 'any':
      return [{ name: 'plain', value: plain ?? WORD }];
    case 'array': {
      const item = plainOf(shape.items, itemPointer(pointer), options);
      return withEmpty('[]', [], 'one item', plain ?? (item === undefined ? undefined : [item]));
    }
    case 'object':
      return objectChoices(shape, pointer, options);
  }
}

function objectChoices(shape: ObjectShape, pointer: string, options: GenerateOptions): readonly Choice[] {
  const plain = entryAt(options.plain, pointer);
  if (isMap(shape)) {
    const value = plainOf(shape.others, valuePointer(pointer), options);
    return withEmpty('{}', {}, 'one pair', plain ?? (value === undefined ? undefined : { [PAIR]: value }));
  }
  const required = plainMembers(shape, pointer, options, 'required');
  const all = plain ?? plainMembers(shape, pointer, options, 'all');
  if (JSON.stringify(all) === JSON.stringify(required)) return [{ name: 'all members', value: all }];
  return [
    { name: 'required members', value: required },
    { name: 'all members', value: all },
  ];
}

function withEmpty(emptyName: string, empty: JsonValue, name: string, value: JsonValue | undefined): readonly Choice[] {
  const none: Choice = { name: emptyName, value: empty };
  return value === undefined ? [none] : [none, { name, value }];
}

function pooled(pointer: string, options: GenerateOptions): readonly Choice[] {
  const seen = new Map<string, number>();
  return (entryAt(options.pool, pointer) ?? []).map((id) => {
    const look = letterCase(id);
    const count = (seen.get(look) ?? 0) + 1;
    seen.set(look, count);
    return { name: count === 1 ? look : `${look} ${count}`, value: id, inTurn: true };
  });
}

function letterCase(id: string): string {
  if (id === id.toLowerCase()) return 'lower case';
  return id === id.toUpperCase() ? 'upper case' : 'mixed case';
}
