/** Every place of a body and every way in which it can be wrong there; which wrong value is put there is still open. */

import type { JsonSchema } from '../contract/schemas.ts';
import { isArray, isObject, type JsonObject, type JsonValue, withoutMember } from './json.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/**
 * The ways in which a value can be wrong, in words: it is missing, it has another JSON type (an integer for a string, a
 * fraction for an integer), or it is a string but not a UUID. Labels are ids of variations.
 */
export const VIOLATIONS = {
  missing: 'is missing',
  null: 'is null',
  string: 'is a string',
  integer: 'is a number',
  fraction: 'is a number with a fraction',
  boolean: 'is a boolean',
  array: 'is an array',
  object: 'is an object',
  word: 'is a plain word',
  'past-f': 'has a letter past f',
  led: 'has a letter in front of it',
  trailed: 'has a letter after it',
} as const;

/** One way in which a value can be wrong. */
export type ViolationKind = keyof typeof VIOLATIONS;

/** Whether a value that is wrong in this way is a string that resembles a UUID. */
export const isFormat = (kind: ViolationKind): boolean => ['word', 'past-f', 'led', 'trailed'].includes(kind);

/** One place of a body. */
export interface BodyPlace {
  /** The empty pointer for the body, `/codecs/-` for an item, `/variables/*` for a value of a map. */
  readonly pointer: string;
  /** The member at or above the place; absent for the body itself. */
  readonly member?: Member;
  /** What the schema requires at the place. */
  readonly due: Scalar | Collection | { readonly kind: 'object'; readonly nullable: false };
  /** Whether the place is the body, a required member, or something that may also be absent. */
  readonly standing: 'body' | 'required' | 'optional';
}

/** One place and one way in which it can be wrong. */
export interface Mutation {
  readonly place: BodyPlace;
  readonly kind: ViolationKind;
}

const VIOLATION_KINDS = Object.keys(VIOLATIONS) as ViolationKind[];

/** All mutations of a schema: the body itself first, then place by place in the order of the schema. */
export function mutationsOf(schema: JsonSchema): readonly Mutation[] {
  return bodyPlaces(schema).flatMap((place) =>
    VIOLATION_KINDS.filter((kind) => applies(kind, place)).map((kind) => ({ place, kind })),
  );
}

/** All places of a schema: the body itself first, then in the order of the schema. */
function bodyPlaces(schema: JsonSchema): readonly BodyPlace[] {
  const body: BodyPlace = { pointer: '', due: { kind: 'object', nullable: false }, standing: 'body' };
  return [body, ...membersOf(schema).flatMap(placesIn)];
}

/** The valid body with the mutation applied; `missing` ignores the wrong value. */
export function mutated({ place, kind }: Mutation, valid: JsonObject, wrong: JsonValue): JsonValue {
  const { member } = place;
  return kind === 'missing' && member ? withoutMember(valid, member.name) : putAt(place, valid, wrong);
}

/**
 * The body with a value put in a place; in an array or a map it replaces the middle one of those already there, since a
 * careless reader may look at the first or at the last alone.
 */
function putAt({ pointer, member }: BodyPlace, body: JsonObject, value: JsonValue): JsonValue {
  if (member === undefined) return value;
  const { name, shape } = member;
  return { ...body, [name]: pointer === member.pointer ? value : withEntry(body[name], shape, value) };
}

function placesIn(member: Member): readonly BodyPlace[] {
  const { pointer, shape, required } = member;
  const own: BodyPlace = { pointer, member, due: shape, standing: required ? 'required' : 'optional' };
  if (!('inner' in shape)) return [own];
  return [own, { pointer: innerPointer(pointer, shape), member, due: shape.inner, standing: 'optional' }];
}

function applies(kind: ViolationKind, { due, standing }: BodyPlace): boolean {
  if (isFormat(kind)) return due.kind === 'uuid';
  switch (kind) {
    case 'missing':
      return standing === 'required';
    case 'null':
      return !due.nullable;
    case 'fraction':
      return due.kind === 'integer';
    default:
      return kind !== ({ uuid: 'string', map: 'object' } as Record<string, string>)[due.kind] && kind !== due.kind;
  }
}

function withEntry(old: JsonValue | undefined, { kind }: Member['shape'], value: JsonValue): JsonValue {
  if (kind === 'array') {
    const items = isArray(old) && old.length > 0 ? old : [null];
    return items.with(Math.floor(items.length / 2), value);
  }
  const map = isObject(old) ? old : {};
  const names = Object.keys(map);
  return { ...map, [names[Math.floor(names.length / 2)] ?? 'extra']: value };
}
