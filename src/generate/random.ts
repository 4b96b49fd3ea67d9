/** Random valid bodies, as arbitraries of fast-check; they shrink to valid bodies only. */

import fc from 'fast-check';
import { DRAWN } from '../contract/limits.ts';
import type { JsonSchema } from '../contract/schemas.ts';
import { type JsonObject, type JsonValue, sizeOf } from './json.ts';
import { type GenerateOptions, isExcluded, isFreeName, isOptional } from './options.ts';
import { type Collection, innerPointer, type Member, membersOf, type Scalar } from './schema.ts';

/** Random valid bodies under 8 KiB. */
export function validArbitrary(schema: JsonSchema, options: GenerateOptions = {}): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(...membersOf(schema).map((member) => entry(member, options)))
    .map((all) => Object.fromEntries(all.filter((each) => each !== null)))
    .filter((value) => sizeOf(value) < DRAWN.body);
}

/** One random valid body; the same seed gives the same. */
export const drawnBody = (schema: JsonSchema, options: GenerateOptions, seed: number): JsonObject =>
  fc.sample(validArbitrary(schema, options), { seed, numRuns: 1 })[0] as JsonObject;

type MemberEntry = readonly [name: string, value: JsonValue];

/** A member with its value, or null if it is absent. */
function entry(member: Member, options: GenerateOptions): fc.Arbitrary<MemberEntry | null> {
  const { name, pointer, shape } = member;
  const optional = isOptional(member, options);
  if (optional && isExcluded(pointer, options)) return fc.constant(null);
  const values = arbitraryOf(shape, pointer, options);
  if (values === undefined) return fc.constant(null);
  const present = values.map((value): MemberEntry => [name, value]);
  return optional ? fc.option(present, { nil: null }) : present;
}

/** Values of a shape; `undefined` for a UUID without a pool. */
function arbitraryOf(shape: Scalar | Collection, pointer: string, options: GenerateOptions) {
  const fixed = options.fixed?.[pointer];
  if (fixed !== undefined) return fc.constant(fixed);
  const arbitrary = ownArbitrary(shape, pointer, options);
  if (!shape.nullable) return arbitrary;
  return arbitrary === undefined ? fc.constant(null) : fc.option(arbitrary, { nil: null });
}

function ownArbitrary(
  shape: Scalar | Collection,
  pointer: string,
  options: GenerateOptions,
): fc.Arbitrary<JsonValue> | undefined {
  switch (shape.kind) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return anyInteger();
    case 'string':
      return texts();
    case 'uuid': {
      const ids = options.pool?.[pointer] ?? [];
      return ids.length === 0 ? undefined : fc.constantFrom(...ids);
    }
    default: {
      const isArray = shape.kind === 'array';
      const inner = arbitraryOf(shape.inner, innerPointer(pointer, shape), options);
      if (inner === undefined) return fc.constant(isArray ? [] : {});
      return isArray ? fc.array(inner, { maxLength: DRAWN.items }) : maps(inner, options);
    }
  }
}

/** Random objects with free names. */
function maps(values: fc.Arbitrary<JsonValue>, options: GenerateOptions): fc.Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(freeNames(options), values), { maxLength: DRAWN.items })
    .map((pairs) => Object.fromEntries(pairs));
}

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const CODE_POINTS = 0x110000 - SURROGATES.count;
const SIMPLEST = 'a'.charCodeAt(0);

/**
 * Any character except a lone surrogate, the simplest first. fast-check's own unit for this keeps a table of all
 * characters (eighty megabytes) for the life of the process.
 */
const character: fc.Arbitrary<string> = fc.nat({ max: CODE_POINTS - 1 }).map((at) => {
  const place = (at + SIMPLEST) % CODE_POINTS;
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
});

/** Strings: mostly short and readable, some of any characters except lone surrogates, a few up to 300 long. */
function texts(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
    { weight: 3, arbitrary: fc.string({ unit: character, maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 0, maxLength: 300, size: 'large' }) },
  );
}

/** Names for pairs of a map, including some that objects inherit; never the name of a fixed member. */
export function freeNames(options: GenerateOptions): fc.Arbitrary<string> {
  const inherited = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '');
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
      { weight: 2, arbitrary: fc.string({ unit: character, maxLength: 12 }) },
      { weight: 1, arbitrary: inherited },
    )
    .filter((name) => isFreeName(name, options));
}

/** Integers: small ones, and all that a double holds exactly. */
function anyInteger(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: -100, max: 1000 }), fc.integer(), fc.maxSafeInteger());
}
