/** Systematic invalid bodies: for every place of a schema every kind of violation, one at a time. */

import type { JsonSchema } from '../contract/schemas.ts';
import { UUID } from '../contract/uuid.ts';
import { typicalValue } from './covering.ts';
import { isArray, isJsonObject, type JsonObject, type JsonValue, withoutMember } from './json.ts';
import { type ByPointer, type GenerateOptions, isExcluded } from './options.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/**
 * The ways in which a value can be wrong, in words: it is missing, it has another JSON type (an integer for a string, a
 * fraction for an integer), or it is a string but not a UUID. Labels are ids of variations.
 */
const VIOLATION_WORDS = {
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
  trailed: 'has a line end after it',
  'text-blank': 'is a blank',
  'text-null': 'is the text null',
  'text-none': 'is the text none',
  'text-undefined': 'is the text undefined',
  'around-letters': 'is between two letters',
  'around-parentheses': 'is in parentheses',
  'around-blanks': 'is between blanks',
  'around-brackets': 'is between unlike brackets',
} as const;

/** One way in which a value can be wrong. */
export type ViolationKind = keyof typeof VIOLATION_WORDS;

const VIOLATION_KINDS = Object.keys(VIOLATION_WORDS) as ViolationKind[];

/** Strings that are not UUIDs: what scripts and forms write for an absent id, and what resembles a UUID. */
export const NO_UUIDS = VIOLATION_KINDS.slice(VIOLATION_KINDS.indexOf('word'));

const isFormat = (kind: ViolationKind): boolean => NO_UUIDS.includes(kind);

/** One way to make a valid body wrong in exactly one place. */
export interface Violation {
  /** The wrong place: `/to`, `/variables/*` for a value of a map, `/codecs/-` for an item, empty for the body. */
  readonly pointer: string;
  readonly kind: ViolationKind;
  /** Set if a lawful target may read null as absent or empty: optional members, values of maps, items of arrays. */
  readonly tolerated?: 'null';
  /** The violation in words, unique in a list: `/to is missing`. */
  readonly label: string;
  /** The valid body with the violation. */
  readonly apply: (valid: JsonObject) => JsonValue;
}

/** Wrong values of a place by the way they are wrong; a listed kind replaces the usual values, `[]` leaves it out. */
export type WrongValues = Readonly<Partial<Record<ViolationKind, readonly JsonValue[]>>>;

/** What a caller decides about invalid bodies. `wrong` takes precedence over everything else. */
export interface ViolationOptions extends GenerateOptions {
  readonly wrong?: ByPointer<WrongValues>;
  /** Whether a list in place of the body holds its values: some readers take them for the members in order. */
  readonly isListed?: true;
}

/** One place of a body. */
interface MemberPlace {
  readonly pointer: string;
  /** The member at or above the place; absent for the body itself. */
  readonly member?: Member;
  /** What the schema requires at the place. */
  readonly due: Scalar | Collection | { readonly kind: 'object'; readonly nullable: false };
  /** Whether the place is the body, a required member, or something that may also be absent. */
  readonly standing: 'body' | 'required' | 'optional';
}

/** All violations of a schema: the body itself first, then its places in the order of the schema. */
export function violations(schema: JsonSchema, options: ViolationOptions = {}): readonly Violation[] {
  const body: MemberPlace = { pointer: '', due: { kind: 'object', nullable: false }, standing: 'body' };
  const places = [body, ...membersOf(schema).flatMap(placesIn)].filter(({ pointer }) => !isExcluded(pointer, options));
  return places.flatMap((place) =>
    VIOLATION_KINDS.filter((kind) => applies(kind, place)).flatMap((kind) => ofKind(kind, place, schema, options)),
  );
}

function ofKind(kind: ViolationKind, place: MemberPlace, schema: JsonSchema, options: ViolationOptions) {
  const { pointer, standing } = place;
  const isTolerated = kind === 'null' && standing === 'optional';
  const isList = options.isListed === true && standing === 'body' && kind === 'array';
  return wrongValues(kind, place, options).map((wrong, index): Violation => {
    const way = wrong === '' ? 'is an empty string' : `${VIOLATION_WORDS[kind]}${index === 0 ? '' : ` (${index + 1})`}`;
    const label = `${pointer || 'the body'} ${way}`;
    const apply = (valid: JsonObject): JsonValue =>
      kind === 'missing' && place.member
        ? withoutMember(valid, place.member.name)
        : putAt(place, valid, isList ? valuesOf(valid, schema) : wrong);
    return { pointer, kind, label, apply, ...(isTolerated && { tolerated: 'null' }) };
  });
}

const valuesOf = (body: JsonObject, { properties = {} }: JsonSchema): readonly JsonValue[] =>
  Object.keys(properties).flatMap((name) => (name in body ? [body[name] ?? null] : []));

function placesIn(member: Member): readonly MemberPlace[] {
  const { pointer, shape, required } = member;
  const place: MemberPlace = { pointer, member, due: shape, standing: required ? 'required' : 'optional' };
  if (!('inner' in shape)) return [place];
  return [place, { pointer: innerPointer(pointer, shape), member, due: shape.inner, standing: 'optional' }];
}

function applies(kind: ViolationKind, { due, standing }: MemberPlace): boolean {
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

/**
 * The body with a value put in a place; in an array or a map it replaces the middle one of those already there, since a
 * careless reader may look at the first or at the last alone.
 */
function putAt({ pointer, member }: MemberPlace, body: JsonObject, value: JsonValue): JsonValue {
  if (member === undefined) return value;
  const { name, shape } = member;
  return { ...body, [name]: pointer === member.pointer ? value : withEntry(body[name], shape, value) };
}

function withEntry(old: JsonValue | undefined, { kind }: Member['shape'], value: JsonValue): JsonValue {
  if (kind === 'array') {
    const items = isArray(old) && old.length > 0 ? old : [null];
    return items.with(Math.floor(items.length / 2), value);
  }
  const map = isJsonObject(old) ? old : {};
  const names = Object.keys(map);
  return { ...map, [names[Math.floor(names.length / 2)] ?? 'extra']: value };
}

/** A number that no list of a target with small integers for ids contains. */
const MADE_UP_NUMBER = 1_730_518_264;
const UUID_PAST_F = '5f0c2b9e-7d34-4a51-9c68-5e2b7a90d1cg';

/** The UUID with a letter past f for its last digit; without a UUID, a made-up one. */
const pastF = (id: string | undefined): string =>
  id === undefined || !UUID.test(id) ? UUID_PAST_F : `${id.slice(0, -1)}g`;

/** The usual wrong value of each kind, by the typical value of the place and a UUID of its pool. */
const USUAL_VALUE: Readonly<
  Record<ViolationKind, (typical: JsonValue | undefined, id: string | undefined) => JsonValue>
> = {
  missing: () => null,
  null: () => null,
  string: (typical) => (isScalar(typical) ? String(typical) : 'plain'),
  integer: (typical) => (typeof typical === 'boolean' ? Number(typical) : MADE_UP_NUMBER),
  fraction: () => 1.5,
  boolean: () => true,
  array: (typical) => (isScalar(typical) ? [typical] : []),
  object: () => ({}),
  word: () => 'plain-word',
  'text-blank': () => ' ',
  'text-null': () => 'null',
  'text-none': () => 'none',
  'text-undefined': () => 'undefined',
  'past-f': (_, id) => pastF(id),
  led: (_, id) => `z${id ?? UUID_PAST_F}`,
  // $ matches before a final newline (PHP, Python), or before any (Ruby): an id with a second line passed in Ruby.
  trailed: (_, id) => `${id ?? UUID_PAST_F}\n`,
  // A common parser drops the first and the last of 38 characters without looking at them.
  'around-letters': (_, id) => `x${id ?? UUID_PAST_F}x`,
  'around-parentheses': (_, id) => `(${id ?? UUID_PAST_F})`,
  'around-blanks': (_, id) => ` ${id ?? UUID_PAST_F} `,
  'around-brackets': (_, id) => `{${id ?? UUID_PAST_F}]`,
};

/**
 * The wrong values to try, none if the caller leaves the kind out. Each is the value that a coercing or careless reader
 * would most likely accept: `"true"` for a boolean, `["plain"]` for a string.
 */
function wrongValues(
  kind: ViolationKind,
  { pointer, due }: MemberPlace,
  options: ViolationOptions,
): readonly JsonValue[] {
  const given = options.wrong?.[pointer]?.[kind];
  if (given !== undefined) return given;
  const fixed = options.fixed?.[pointer];
  if (fixed !== undefined && kind === 'integer') return digitsOf(fixed);
  const typical = due.kind === 'object' ? undefined : typicalValue(due, pointer, options);
  return [USUAL_VALUE[kind](typical, options.pool?.[pointer]?.[0])];
}

/**
 * A fixed string as a number, so that no reader can take it for another value. Other texts have no digits, and a
 * JSON number may be unable to hold more of them exactly.
 */
function digitsOf(fixed: string): readonly number[] {
  const digits = /^\+?([1-9]\d{0,14})$/.exec(fixed)?.[1];
  return digits === undefined ? [] : [Number(digits)];
}

function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
