/** Random valid bodies, as arbitraries of fast-check: whatever they shrink to is valid too. */

import fc from 'fast-check';
import { BODY_LIMIT, type JsonObject, type JsonValue, objectOf, sizeOf } from './json.ts';
import { entryAt, type GenerateOptions, isExcluded, isFixed } from './options.ts';
import { noPool } from './plain.ts';
import { itemPointer, memberPointer, valuePointer } from './pointer.ts';
import { fractions, freeNames, integers, texts } from './scalars.ts';
import type { SchemaNode } from './schema.ts';
import { isMap, type Member, type ObjectShape, type Shape, shapeOf } from './shape.ts';

const MOST_ENTRIES = 20;

/** Random valid bodies under 8 KiB. */
export function validArbitrary(schema: SchemaNode, options: GenerateOptions = {}): fc.Arbitrary<JsonValue> {
  const arbitrary = arbitraryOf(shapeOf(schema), '', options);
  if (arbitrary === undefined) throw noPool('the body');
  return arbitrary.filter((value) => sizeOf(value) < BODY_LIMIT);
}

/** Any scalar: where a schema says nothing, and as filling. */
export function scalars(): fc.Arbitrary<JsonValue> {
  return fc.oneof(texts(), integers(), fc.boolean(), fc.constant(null));
}

/** Random objects whose names are free. */
export function maps(values: fc.Arbitrary<JsonValue>, options: GenerateOptions): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(freeNames(options), values), { maxLength: MOST_ENTRIES }).map(objectOf);
}

/** Values of a shape; `undefined` for a UUID without a pool. */
function arbitraryOf(shape: Shape, pointer: string, options: GenerateOptions): fc.Arbitrary<JsonValue> | undefined {
  const fixed = entryAt(options.fixed, pointer);
  if (fixed !== undefined) return fc.constant(fixed);
  const own = ownArbitrary(shape, pointer, options);
  if (!shape.nullable || shape.kind === 'any') return own;
  return own === undefined ? fc.constant(null) : fc.option(own, { nil: null });
}

function ownArbitrary(shape: Shape, pointer: string, options: GenerateOptions): fc.Arbitrary<JsonValue> | undefined {
  switch (shape.kind) {
    case 'constant':
      return fc.constant(shape.value);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers();
    case 'number':
      return fc.oneof(integers(), fractions());
    case 'string':
      return shape.uuid ? pooled(entryAt(options.pool, pointer)) : texts();
    case 'any':
      return scalars();
    case 'array': {
      const items = arbitraryOf(shape.items, itemPointer(pointer), options);
      return items === undefined ? fc.constant([]) : fc.array(items, { maxLength: MOST_ENTRIES });
    }
    case 'object':
      return isMap(shape)
        ? mapArbitrary(shape.others, valuePointer(pointer), options)
        : objects(shape, pointer, options);
  }
}

function pooled(ids: readonly string[] = []): fc.Arbitrary<string> | undefined {
  return ids.length === 0 ? undefined : fc.constantFrom(...ids);
}

function mapArbitrary(others: Shape, pointer: string, options: GenerateOptions): fc.Arbitrary<JsonObject> {
  const values = arbitraryOf(others, pointer, options);
  return values === undefined ? fc.constant({}) : maps(values, options);
}

type Entry = readonly [name: string, value: JsonValue];

function objects(shape: ObjectShape, pointer: string, options: GenerateOptions): fc.Arbitrary<JsonObject> {
  const entries = shape.members.map((member) => entry(member, memberPointer(pointer, member.name), options));
  return fc.tuple(...entries).map((all) => objectOf(all.filter((each) => each !== null)));
}

/** A member with its value, or null for its absence. */
function entry(member: Member, pointer: string, options: GenerateOptions): fc.Arbitrary<Entry | null> {
  const { name, required, shape } = member;
  const optional = !required && !isFixed(pointer, options);
  if (optional && isExcluded(pointer, options)) return fc.constant(null);
  const values = arbitraryOf(shape, pointer, options);
  if (values === undefined && !optional) throw noPool(pointer);
  if (values === undefined) return fc.constant(null);
  const there = values.map((value): Entry => [name, value]);
  return optional ? fc.option(there, { nil: null }) : there;
}
