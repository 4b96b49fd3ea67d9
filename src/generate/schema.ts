/**
 * What the generator reads from a JSON Schema (2020-12): an object whose members are scalars, arrays of scalars or maps
 * of scalars. It never ignores a keyword: anything else is an error.
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

/** The schema uses something that the generator does not support. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'title', 'description', 'writeOnly'],
  ...['type', 'required', 'properties', 'additionalProperties', 'items', 'format'],
]);

/** The pointer of the items of an array (`/codecs/-`) or of the values of a map (`/variables/*`). */
export function innerPointer(pointer: string, { kind }: Collection): string {
  return `${pointer}/${kind === 'array' ? '-' : '*'}`;
}

/** The members of the body that a schema describes, in its order; throws `SchemaError` for anything unsupported. */
export function membersOf(schema: JsonSchema): readonly Member[] {
  const file = schema.$id?.replace(/.*\//, '').replace(/(\.schema)?\.json$/, '');
  const name = file ?? schema.title ?? 'without a name';
  const fail = (what: string, at: string): never => {
    throw new SchemaError(`schema ${name} uses ${what} at ${at || 'its top'}, which the generator does not support`);
  };
  const { required = [], properties = {} } = schema;
  const { type } = typeOf(schema, '', fail);
  if (type !== 'object' || schema.additionalProperties) fail(`a body that is not an object of named members`, '');
  const undeclared = required.find((each) => !Object.hasOwn(properties, each));
  if (undeclared !== undefined) throw new SchemaError(`schema ${name} requires "${undeclared}" without declaring it`);
  return Object.entries(properties).map(([each, property]) => ({
    name: each,
    pointer: `/${escaped(each)}`,
    required: required.includes(each),
    shape: shapeOf(property, `/properties/${escaped(each)}`, fail),
  }));
}

type Fail = (what: string, at: string) => never;

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The type of a node beside null; fails on unsupported keywords. */
function typeOf(node: JsonSchema, at: string, fail: Fail): { readonly type: string; readonly nullable: boolean } {
  const unknown = Object.keys(node).find((keyword) => !KEYWORDS.has(keyword));
  if (unknown !== undefined) fail(`the keyword "${unknown}"`, at);
  const types: readonly string[] = [node.type ?? []].flat();
  const [type, ...rest] = types.filter((each) => each !== 'null');
  if (type === undefined || rest.length > 0) return fail(`the types "${types.join(', ')}"`, at);
  return { type, nullable: types.includes('null') };
}

function shapeOf(node: JsonSchema, at: string, fail: Fail): Scalar | Collection {
  const { type, nullable } = typeOf(node, at, fail);
  const { items, additionalProperties } = node;
  if (type === 'array' && items) return { kind: 'array', nullable, inner: scalarOf(items, `${at}/items`, fail) };
  if (type === 'object' && additionalProperties && !node.properties && !node.required) {
    return { kind: 'map', nullable, inner: scalarOf(additionalProperties, `${at}/additionalProperties`, fail) };
  }
  return scalarOf(node, at, fail);
}

function scalarOf(node: JsonSchema, at: string, fail: Fail): Scalar {
  const { type, nullable } = typeOf(node, at, fail);
  if (type !== 'string' && node.format !== undefined) fail(`a format of the type "${type}"`, at);
  switch (type) {
    case 'string':
      if (node.format !== undefined && node.format !== 'uuid') fail(`the format "${node.format}"`, at);
      return { kind: node.format === 'uuid' ? 'uuid' : 'string', nullable };
    case 'boolean':
    case 'integer':
      return { kind: type, nullable };
    default:
      return fail(`the type "${type}"`, at);
  }
}
