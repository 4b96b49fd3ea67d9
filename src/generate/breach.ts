/** Systematic invalid bodies: every place of a schema, every way to be wrong there, one at a time. */

import { type Flaw, type FlawKeyword, type FlawKind, flawsOf } from './flaw.ts';
import type { JsonValue } from './json.ts';
import { isExcluded } from './options.ts';
import type { SchemaNode } from './schema.ts';
import { shapeOf } from './shape.ts';
import { type BreachOptions, wrongValues } from './wrong.ts';

/** Which place is broken, and how. */
export interface NamedBreach {
  /** The broken place: `/to`, `/variables/*` for a value of a map, `/codecs/-` for an item, the empty pointer for the body. */
  readonly pointer: string;
  readonly kind: FlawKind;
  /** The keyword of JSON Schema that is offended. */
  readonly keyword: FlawKeyword;
  /** Set where a lawful target may read null as absent or empty; see `Flaw`. */
  readonly leniency?: 'null';
  /** What is wrong, for people; unique in a list: `/to is missing`. */
  readonly label: string;
}

/** One way to break a valid body in exactly one place. */
export interface Breach extends NamedBreach {
  /** The valid body, broken; `undefined` where this body has no such place. */
  readonly apply: (valid: JsonValue) => JsonValue | undefined;
}

/** All breaches of a schema, the body itself first and then its places in order. */
export function breaches(schema: SchemaNode, options: BreachOptions = {}): readonly Breach[] {
  return openFlaws(schema, options).flatMap((flaw) =>
    wrongValues(flaw, options).map((wrong, index) => {
      const { label, ...named } = namedBreach(flaw);
      return {
        ...named,
        label: index === 0 ? label : `${label} (${index + 1})`,
        apply: (valid) => flaw.put(valid, wrong),
      };
    }),
  );
}

/** What a flaw is called, whichever wrong value stands there. */
export function namedBreach(flaw: Flaw): NamedBreach {
  const { pointer, kind, keyword, leniency } = flaw;
  const label = `${pointer === '' ? 'the body' : pointer} ${SAYING[kind]}`;
  return { pointer, kind, keyword, label, ...(leniency && { leniency }) };
}

/** The flaws of a schema that the caller does not keep out. */
export function openFlaws(schema: SchemaNode, options: BreachOptions): readonly Flaw[] {
  return flawsOf(shapeOf(schema)).filter((flaw) => !isExcluded(flaw.pointer, options));
}

const SAYING = {
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
  'other-constant': 'is another value than the only one',
  undeclared: 'is not declared',
} as const satisfies Record<FlawKind, string>;
