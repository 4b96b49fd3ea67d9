/** Random invalid bodies: a random valid one with exactly one violation, which it keeps while it shrinks. */

import fc from 'fast-check';
import type { JsonSchema } from '../contract/schemas.ts';
import { BODY_LIMIT, type JsonValue, sizeOf } from './json.ts';
import { type Mutation, mutated } from './mutations.ts';
import { isFixed } from './options.ts';
import { integers, maps, scalars, texts, validArbitrary } from './valid.ts';
import {
  includedMutations,
  isWrong,
  type NamedViolation,
  namedViolation,
  pastF,
  type ViolationOptions,
  wrongValues,
} from './violations.ts';

/** A body that is wrong in one place only. */
export interface InvalidBody {
  readonly value: JsonValue;
  readonly violation: NamedViolation;
}

/** What a caller decides about random invalid bodies; `where` chooses among the violations of the schema. */
export interface InvalidOptions extends ViolationOptions {
  readonly where?: (violation: NamedViolation) => boolean;
}

/** Random invalid bodies under 8 KiB; throws `RangeError` if no violation is left to choose. */
export function invalidArbitrary(schema: JsonSchema, options: InvalidOptions = {}): fc.Arbitrary<InvalidBody> {
  const { where = () => true } = options;
  const mutations = includedMutations(schema, options).flatMap((mutation) => {
    const wrong = wrongArbitrary(mutation, options);
    const violation = namedViolation(mutation);
    return wrong === undefined || !where(violation) ? [] : [wrong.map((value) => ({ mutation, violation, value }))];
  });
  if (mutations.length === 0) throw new RangeError('the schema has no violation to choose from');
  return fc
    .tuple(validArbitrary(schema, options), fc.oneof(...mutations))
    .map(([valid, { mutation, violation, value }]) => ({
      value: mutated(mutation, valid, value),
      violation,
    }))
    .filter(({ value }) => sizeOf(value) < BODY_LIMIT);
}

/** Wrong values: random ones unless the caller lists or fixes them; `undefined` if there are none. */
function wrongArbitrary(mutation: Mutation, options: InvalidOptions): fc.Arbitrary<JsonValue> | undefined {
  const { pointer } = mutation.place;
  const listed = options.wrong?.[pointer]?.[mutation.kind] !== undefined;
  if (!listed && !isFixed(pointer, options)) return randomWrong(mutation, options);
  const values = wrongValues(mutation, options);
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}

function randomWrong({ place, kind }: Mutation, options: InvalidOptions): fc.Arbitrary<JsonValue> {
  switch (kind) {
    case 'missing':
    case 'null':
      return fc.constant(null);
    case 'string':
      return texts();
    case 'integer':
      return integers();
    case 'fraction':
      return fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(scalars(), { maxLength: 5 });
    case 'object':
      return maps(scalars(), options);
    case 'word':
      return words();
    case 'past-f':
      return fc
        .tuple(fc.constantFrom(...'ghijklmnopqrstuvwxyzGZ'), fc.nat({ max: 31 }))
        .map(([letter, fromEnd]) => pastF(options.pool?.[place.pointer]?.[0], letter, fromEnd));
    case 'led':
    case 'trailed':
      return words().map((word) => inCompany(kind, word, options.pool?.[place.pointer]?.[0] ?? ''));
  }
}

const inCompany = (kind: 'led' | 'trailed', word: string, id: string): string =>
  kind === 'led' ? word + id : id + word;

/** Strings that even a lenient reader does not take for a UUID: they begin with a letter past f. */
function words(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...'ghjkmnpqrstvwxyz'), fc.string({ unit: 'grapheme-ascii', maxLength: 20 }))
    .map(([first, rest]) => first + rest)
    .filter((word) => isWrong(word, 'word'));
}
