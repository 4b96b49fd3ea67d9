/** One change at one place of a value; everything else stays as it is. */

import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  memberOf,
  withMember,
  withoutMember,
} from './json.ts';
import type { Step } from './pointer.ts';
import type { ArrayShape, ObjectShape, Shape } from './shape.ts';

/** What is done at the place: another value is put there, or the member is removed. */
export type Change = { readonly to: 'put'; readonly value: JsonValue } | { readonly to: 'remove' };

/**
 * The value with the change made at the end of the steps, or `undefined` where it has no such place. A wrong item or
 * map value is added behind those already there. An absent array, map or object on the way is made, unless it would
 * need members of its own beside the one on the way.
 */
export function edit(
  value: JsonValue | undefined,
  shape: Shape,
  steps: readonly Step[],
  change: Change,
): JsonValue | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return change.to === 'put' ? change.value : undefined;
  if (step.to === 'item') return shape.kind === 'array' ? editItem(value, shape, rest, change) : undefined;
  if (shape.kind !== 'object') return undefined;
  if (step.to === 'member') return editMember(value, shape, step.name, rest, change);
  return editOther(value, shape, rest, change);
}

function editItem(
  value: JsonValue | undefined,
  shape: ArrayShape,
  rest: readonly Step[],
  change: Change,
): JsonArray | undefined {
  const items = isArray(value) ? value : [];
  const kept = rest.length === 0 ? items : items.slice(0, -1);
  const item = edit(items.at(kept.length), shape.items, rest, change);
  return item === undefined ? undefined : [...kept, item];
}

function editMember(
  value: JsonValue | undefined,
  shape: ObjectShape,
  name: string,
  rest: readonly Step[],
  change: Change,
): JsonObject | undefined {
  const object = isObject(value) ? value : madeFor(shape, name);
  if (object === undefined) return undefined;
  if (rest.length === 0 && change.to === 'remove') return withoutMember(object, name);
  const inner = shape.members.find((member) => member.name === name)?.shape;
  const edited = inner && edit(memberOf(object, name), inner, rest, change);
  return edited === undefined ? undefined : withMember(object, name, edited);
}

/** A pair of a map, or an undeclared member: the last one there, or for the change itself a new one. */
function editOther(
  value: JsonValue | undefined,
  shape: ObjectShape,
  rest: readonly Step[],
  change: Change,
): JsonObject | undefined {
  const object = isObject(value) ? value : madeFor(shape, null);
  if (object === undefined) return undefined;
  const taken = new Set([...Object.keys(object), ...shape.members.map((member) => member.name)]);
  const last = Object.keys(object).findLast((name) => !shape.members.some((member) => member.name === name));
  const name = rest.length > 0 && last !== undefined ? last : freshName(taken);
  const edited = edit(memberOf(object, name), shape.others ?? { kind: 'any', nullable: true }, rest, change);
  return edited === undefined ? undefined : withMember(object, name, edited);
}

function madeFor(shape: ObjectShape, name: string | null): JsonObject | undefined {
  return shape.members.some((member) => member.required && member.name !== name) ? undefined : {};
}

function freshName(taken: ReadonlySet<string>): string {
  let name = 'extra';
  for (let number = 2; taken.has(name); number += 1) name = `extra${number}`;
  return name;
}
