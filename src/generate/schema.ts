/**
 * What the generator reads from a JSON Schema (2020-12): an object whose members are scalars, arrays of scalars or maps
 * of scalars. A test holds the schema files to that, so that no keyword is ever ignored.
 */

import type { JsonSchema } from '../contract/schemas.ts';

/** A single value; a UUID has the canonical form, in either letter case. */
export interface Scalar {
  readonly kind: 'string' | 'uuid' | 'boolean' | 'integer';
  readonly nullable: boolean;
}

/** An array, or an object that maps any names to values. */
export interface Collection {
  readonly kind: 'array' | 'map';
  readonly nullable: boolean;
  readonly inner: Scalar;
}

/** One declared member of the body. */
export interface Member {
  readonly name: string;
  /** Its JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly required: boolean;
  readonly shape: Scalar | Collection;
}

/** The pointer of the items of an array (`/codecs/-`) or of the values of a map (`/variables/*`). */
export function innerPointer(pointer: string, { kind }: Collection): string {
  return `${pointer}/${kind === 'array' ? '-' : '*'}`;
}

/** The members of the body that a schema describes, in its order. */
export function membersOf({ required = [], properties = {} }: JsonSchema): readonly Member[] {
  return Object.entries(properties).map(([name, node]) => ({
    name,
    pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    required: required.includes(name),
    shape: memberShape(node),
  }));
}

function memberShape(node: JsonSchema): Scalar | Collection {
  const { items, additionalProperties } = node;
  const scalar = scalarOf(node);
  const { nullable } = scalar;
  if (items !== undefined) return { kind: 'array', nullable, inner: scalarOf(items) };
  if (additionalProperties !== undefined) return { kind: 'map', nullable, inner: scalarOf(additionalProperties) };
  return scalar;
}

function scalarOf({ type, format }: JsonSchema): Scalar {
  const types = [type ?? []].flat();
  const kind = format === 'uuid' ? format : (types.find((typeName) => typeName !== 'null') as Scalar['kind']);
  return { kind, nullable: types.includes('null') };
}
