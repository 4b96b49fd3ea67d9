/** Systematic invalid bodies: every place of a schema, every way in which it can be wrong, one at a time. */

import type { JsonSchema } from '../contract/schemas.ts';
import { UUID } from '../contract/uuid.ts';
import { typicalValue } from './covering.ts';
import { type JsonObject, type JsonValue, valueType } from './json.ts';
import { isFormat, type Mutation, mutated, mutationsOf, VIOLATIONS, type ViolationKind } from './mutations.ts';
import { type ByPointer, type GenerateOptions, isExcluded } from './options.ts';

/** The place that is wrong, and how. */
export interface NamedViolation {
  /** The wrong place: `/to`, `/variables/*` for a value of a map, `/codecs/-` for an item, empty for the body. */
  readonly pointer: string;
  readonly kind: ViolationKind;
  /** The violated keyword of JSON Schema. */
  readonly keyword: 'required' | 'type' | 'format';
  /** Set if a lawful target may read null as absent or empty: optional members, values of maps, items of arrays. */
  readonly tolerated?: 'null';
  /** The violation in words, unique in a list: `/to is missing`. */
  readonly label: string;
}

/** One way to make a valid body wrong in exactly one place. */
export interface Violation extends NamedViolation {
  /** The valid body with the violation. */
  readonly apply: (valid: JsonObject) => JsonValue;
}

/** Wrong values of a place by the way they are wrong; a listed kind replaces the usual values, `[]` leaves it out. */
export type WrongValues = Readonly<Partial<Record<ViolationKind, readonly JsonValue[]>>>;

/** What a caller decides about invalid bodies. `wrong` takes precedence over everything else. */
export interface ViolationOptions extends GenerateOptions {
  readonly wrong?: ByPointer<WrongValues>;
  /** Whether a list in the place of the body holds its values: some readers take them for the members, by their order. */
  readonly isListed?: true;
}

/** All violations of a schema: the body itself first, then its places in the order of the schema. */
export function violations(schema: JsonSchema, options: ViolationOptions = {}): readonly Violation[] {
  return includedMutations(schema, options).flatMap((mutation) => {
    const named = namedViolation(mutation);
    return wrongValues(mutation, options).map((wrong, index) => ({
      ...named,
      label: index === 0 ? named.label : `${named.label} (${index + 1})`,
      apply: (valid) => mutated(mutation, valid, isList(mutation, options) ? valuesOf(valid, schema) : wrong),
    }));
  });
}

const isList = ({ place, kind }: Mutation, { isListed }: ViolationOptions): boolean =>
  isListed === true && place.pointer === '' && kind === 'array';

const valuesOf = (body: JsonObject, { properties = {} }: JsonSchema): readonly JsonValue[] =>
  Object.keys(properties).flatMap((name) => (name in body ? [body[name] ?? null] : []));

/** The mutations of a schema that the caller does not exclude. */
export function includedMutations(schema: JsonSchema, options: ViolationOptions): readonly Mutation[] {
  return mutationsOf(schema).filter(({ place }) => !isExcluded(place.pointer, options));
}

/** The name of a mutation, whatever the wrong value. */
export function namedViolation({ place: { pointer, standing }, kind }: Mutation): NamedViolation {
  const keyword = kind === 'missing' ? 'required' : isFormat(kind) ? 'format' : 'type';
  const label = `${pointer || 'the body'} ${VIOLATIONS[kind]}`;
  return { pointer, kind, keyword, label, ...(kind === 'null' && standing === 'optional' && { tolerated: 'null' }) };
}

/** A number that no list of a target with small integers for ids contains. */
const MADE_UP_NUMBER = 1_730_518_264;
const UUID_PAST_F = '5f0c2b9e-7d34-4a51-9c68-5e2b7a90d1cg';

/**
 * The wrong values to try for a mutation, none if the caller leaves it out. Each is the one that a coercing or careless
 * reader would most likely accept: `"true"` for a boolean, `["plain"]` for a string. Throws `RangeError` if a value of
 * the caller is not wrong in that way.
 */
export function wrongValues(mutation: Mutation, options: ViolationOptions): readonly JsonValue[] {
  const { pointer } = mutation.place;
  const given = options.wrong?.[pointer]?.[mutation.kind];
  const fixed = options.fixed?.[pointer];
  if (given === undefined) return fixed === undefined ? usual(mutation, options) : formsOf(fixed, mutation, options);
  const mistaken = given.find((value) => !isWrong(value, mutation.kind));
  if (mistaken === undefined) return given;
  throw new RangeError(`${JSON.stringify(mistaken)} is not a wrong value of kind ${mutation.kind} for ${pointer}`);
}

/** Whether a value is wrong in that way. */
export function isWrong(value: JsonValue, kind: ViolationKind): boolean {
  if (kind === 'missing') return true;
  if (isFormat(kind)) return typeof value === 'string' && !UUID.test(value);
  return kind === 'integer' ? typeof value === 'number' : valueType(value) === kind;
}

/**
 * A UUID with one digit replaced by a letter past f; without a UUID, a made-up one. The position counts digits from the
 * end, without the dashes.
 */
export function pastF(id: string | undefined, letter = 'g', fromEnd = 0): string {
  if (id === undefined || !UUID.test(id)) return UUID_PAST_F;
  const digits = [...id].flatMap((character, index) => (character === '-' ? [] : [index]));
  const at = digits.at(-1 - (fromEnd % digits.length)) ?? 0;
  return id.slice(0, at) + letter + id.slice(at + 1);
}

/** The usual wrong value of each kind, by the typical value of the place and a UUID of its pool. */
const USUAL: Readonly<Record<ViolationKind, (typical: JsonValue | undefined, id: string | undefined) => JsonValue>> = {
  missing: () => null,
  null: () => null,
  string: (typical) => (isScalar(typical) ? String(typical) : 'plain'),
  integer: (typical) => (typeof typical === 'boolean' ? Number(typical) : MADE_UP_NUMBER),
  fraction: () => 1.5,
  boolean: () => true,
  array: (typical) => (isScalar(typical) ? [typical] : []),
  object: () => ({}),
  word: () => 'plain-word',
  'past-f': (_, id) => pastF(id),
  led: (_, id) => `z${id ?? UUID_PAST_F}`,
  // On a line of its own: in some languages ^ and $ match there, too.
  trailed: (_, id) => `${id ?? UUID_PAST_F}\nz`,
};

function usual({ place: { pointer, due }, kind }: Mutation, options: ViolationOptions): readonly JsonValue[] {
  const typical = due.kind === 'object' ? undefined : typicalValue(due, pointer, options);
  return [USUAL[kind](typical, options.pool?.[pointer]?.[0])];
}

/** A fixed string is sent in forms of its own only, so that no reader can take it for another value. */
function formsOf(fixed: string, mutation: Mutation, options: ViolationOptions): readonly JsonValue[] {
  if (mutation.kind === 'array') return [[fixed]];
  if (mutation.kind === 'past-f') return [pastF(fixed)];
  if (mutation.kind !== 'integer') return usual(mutation, options);
  // Other texts have no digits of their own, and a JSON number may be unable to hold more of them exactly.
  const digits = /^\+?([1-9]\d{0,14})$/.exec(fixed)?.[1];
  return digits === undefined ? [] : [Number(digits)];
}

function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
