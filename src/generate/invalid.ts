/** Random invalid bodies: a random valid one broken in exactly one place, which it keeps while it shrinks. */

import fc from 'fast-check';
import { type NamedBreach, namedBreach, openFlaws } from './breach.ts';
import type { Flaw } from './flaw.ts';
import { BODY_LIMIT, type JsonValue, sizeOf } from './json.ts';
import { entryAt, isFixed } from './options.ts';
import { fractions, integers, texts } from './scalars.ts';
import type { SchemaNode } from './schema.ts';
import { maps, scalars, validArbitrary } from './valid.ts';
import { type BreachOptions, isSuch, pastF, wrongValues } from './wrong.ts';

/** A body that is wrong in one place only. */
export interface Broken {
  readonly value: JsonValue;
  readonly breach: NamedBreach;
}

/** What a caller decides about random invalid bodies; `where` chooses among the breaches of the schema. */
export interface InvalidOptions extends BreachOptions {
  readonly where?: (breach: NamedBreach) => boolean;
}

/** Random invalid bodies under 8 KiB; throws `RangeError` where there is nothing to break. */
export function invalidArbitrary(schema: SchemaNode, options: InvalidOptions = {}): fc.Arbitrary<Broken> {
  const { where = () => true } = options;
  const flaws = openFlaws(schema, options).flatMap((flaw) => {
    const wrong = wrongArbitrary(flaw, options);
    const breach = namedBreach(flaw);
    return wrong === undefined || !where(breach) ? [] : [wrong.map((value) => ({ flaw, breach, wrong: value }))];
  });
  if (flaws.length === 0) throw new RangeError('there is nothing to break');
  return fc
    .tuple(validArbitrary(schema, options), fc.oneof(...flaws))
    .map(([valid, { flaw, breach, wrong }]) => ({ value: flaw.put(valid, wrong), breach }))
    .filter((broken): broken is Broken => broken.value !== undefined && sizeOf(broken.value) < BODY_LIMIT);
}

/** Wrong values for a flaw: random ones where the caller neither lists nor fixes any; `undefined` where there are none. */
function wrongArbitrary(flaw: Flaw, options: InvalidOptions): fc.Arbitrary<JsonValue> | undefined {
  const listed = entryAt(options.wrong, flaw.pointer)?.[flaw.kind] !== undefined;
  if (!listed && !isFixed(flaw.pointer, options)) return randomWrong(flaw, options);
  const values = wrongValues(flaw, options);
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}

function randomWrong(flaw: Flaw, options: InvalidOptions): fc.Arbitrary<JsonValue> {
  switch (flaw.kind) {
    case 'missing':
    case 'null':
      return fc.constant(null);
    case 'string':
      return texts();
    case 'integer':
      return integers();
    case 'fraction':
      return fractions();
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(scalars(), { maxLength: 5 });
    case 'object':
      return maps(scalars(), options);
    case 'word':
      return words(flaw);
    case 'past-f':
      return fc
        .tuple(fc.constantFrom(...'ghijklmnopqrstuvwxyzGZ'), fc.nat({ max: 31 }))
        .map(([letter, fromEnd]) => pastF(entryAt(options.pool, flaw.pointer)?.[0], letter, fromEnd));
    case 'other-constant':
      return fc.constantFrom(...wrongValues(flaw, options));
    case 'undeclared':
      return scalars();
  }
}

/** Strings that are no UUID, nor what a lenient reader takes for one: a letter past f comes first. */
function words(flaw: Flaw): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...'ghjkmnpqrstvwxyz'), fc.string({ unit: 'grapheme-ascii', maxLength: 20 }))
    .map(([first, rest]) => first + rest)
    .filter((word) => isSuch(word, flaw));
}
