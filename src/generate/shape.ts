/** A schema in the generator's own terms: what a value may be, with nothing left to look up. */

import type { JsonValue } from './json.ts';
import { memberPointer } from './pointer.ts';
import { refuseUnknownKeywords, SchemaError, type SchemaNode, schemaName, unknownTo } from './schema.ts';

/** One declared member of an object. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

/** A string: any text, or a UUID in its canonical form. */
export interface StringShape {
  readonly kind: 'string';
  readonly nullable: boolean;
  readonly uuid: boolean;
}

/** An array, all of whose items have one shape. */
export interface ArrayShape {
  readonly kind: 'array';
  readonly nullable: boolean;
  readonly items: Shape;
}

/** An object; `others` is the shape of undeclared members, `null` where none are allowed. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly nullable: boolean;
  readonly members: readonly Member[];
  readonly others: Shape | null;
}

/** What a value may be. */
export type Shape =
  | StringShape
  | ArrayShape
  | ObjectShape
  | { readonly kind: 'integer' | 'number' | 'boolean'; readonly nullable: boolean }
  | { readonly kind: 'constant'; readonly nullable: false; readonly value: JsonValue }
  | { readonly kind: 'any'; readonly nullable: true };

const ANY: Shape = { kind: 'any', nullable: true };

/** Whether an object declares no members, so that it maps free names to values. */
export function isMap(shape: ObjectShape): shape is ObjectShape & { readonly others: Shape } {
  return shape.members.length === 0 && shape.others !== null;
}

/** The shape that a schema describes; throws `SchemaError` for whatever the generator does not know. */
export function shapeOf(schema: SchemaNode): Shape {
  return read(schema, schemaName(schema), '');
}

function read(node: SchemaNode, schema: string, pointer: string): Shape {
  refuseUnknownKeywords(node, schema, pointer);
  if (node.const !== undefined) return { kind: 'constant', nullable: false, value: node.const as JsonValue };
  const { type, nullable } = typeOf(node, schema, pointer);
  switch (type) {
    case undefined:
      return ANY;
    case 'string':
      return { kind: 'string', nullable, uuid: isUuid(node, schema, pointer) };
    case 'boolean':
    case 'integer':
    case 'number':
      return { kind: type, nullable };
    case 'array':
      return { kind: 'array', nullable, items: node.items ? read(node.items, schema, `${pointer}/items`) : ANY };
    case 'object':
      return {
        kind: 'object',
        nullable,
        members: members(node, schema, pointer),
        others: others(node, schema, pointer),
      };
    default:
      throw unknownTo(schema, `the type "${type}"`, pointer);
  }
}

function typeOf(node: SchemaNode, schema: string, pointer: string): { type: string | undefined; nullable: boolean } {
  if (node.type === undefined) return { type: undefined, nullable: true };
  const types = typeof node.type === 'string' ? [node.type] : node.type;
  const [type, ...rest] = types.filter((name) => name !== 'null');
  if (type === undefined || rest.length > 0) throw unknownTo(schema, `the types "${types.join(', ')}"`, pointer);
  return { type, nullable: types.includes('null') };
}

function isUuid(node: SchemaNode, schema: string, pointer: string): boolean {
  if (node.format === undefined) return false;
  if (node.format !== 'uuid') throw unknownTo(schema, `the format "${node.format}"`, pointer);
  return true;
}

function members(node: SchemaNode, schema: string, pointer: string): readonly Member[] {
  const properties = node.properties ?? {};
  const required = node.required ?? [];
  const undeclared = required.find((name) => !Object.hasOwn(properties, name));
  if (undeclared !== undefined) {
    throw new SchemaError(`schema ${schema} requires "${undeclared}" at ${pointer || 'its top'} without declaring it`);
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    shape: read(property, schema, memberPointer(`${pointer}/properties`, name)),
  }));
}

function others(node: SchemaNode, schema: string, pointer: string): Shape | null {
  const additional = node.additionalProperties ?? true;
  if (typeof additional !== 'boolean') return read(additional, schema, `${pointer}/additionalProperties`);
  return additional ? ANY : null;
}
