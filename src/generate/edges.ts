/** Integers at the edges of what implementations hold: valid by the schema, whose bounds are not shown. */

import { edit } from './edit.ts';
import { placesOf } from './flaw.ts';
import type { JsonValue } from './json.ts';
import { type GenerateOptions, isExcluded, isFixed } from './options.ts';
import { pointerOf } from './pointer.ts';
import type { SchemaNode } from './schema.ts';
import { shapeOf } from './shape.ts';

/** One integer to observe, in the notation in which it is sent. */
export interface IntegerEdge {
  readonly pointer: string;
  /** The number as it is written, `1.0` included. */
  readonly literal: string;
  /** For people: `/ring_timeout_seconds is 1e308`. */
  readonly label: string;
  /** The JSON text of the valid body with this number in its place; `undefined` where this body has no such place. */
  readonly textOf: (valid: JsonValue) => string | undefined;
}

const LITERALS = ['0', '-1', '2147483648', '1e308', '1.0'] as const;

/** A text that no body holds; it keeps the place of a number whose notation `JSON.stringify` would not keep. */
const HERE = '\u0001here\u0001';

/** All edges of every integer of a schema; none of them breaks it. */
export function integerEdges(schema: SchemaNode, options: GenerateOptions = {}): readonly IntegerEdge[] {
  const root = shapeOf(schema);
  return placesOf(root).flatMap(({ steps, shape }) => {
    const pointer = pointerOf(steps);
    if (shape.kind !== 'integer' || isFixed(pointer, options) || isExcluded(pointer, options)) return [];
    return LITERALS.map((literal) => ({
      pointer,
      literal,
      label: `${pointer === '' ? 'the body' : pointer} is ${literal}`,
      textOf: (valid) => {
        const marked = edit(valid, root, steps, { to: 'put', value: HERE });
        return marked === undefined ? undefined : JSON.stringify(marked).replace(JSON.stringify(HERE), literal);
      },
    }));
  });
}
