import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/contract/schemas.ts';
import { coveringSet } from '../../../src/generate/covering.ts';
import { isFreeName } from '../../../src/generate/options.ts';
import { invalidArbitrary, validArbitrary } from '../../../src/generate/random.ts';
import { membersOf, SchemaError } from '../../../src/generate/schema.ts';
import { violations } from '../../../src/generate/violations.ts';

const $id = 'https://example.invalid/schemas/call-create.schema.json';
const named = (x: object): JsonSchema => ({ $id, type: 'object', properties: { x } }) as JsonSchema;

describe('what a schema may contain', () => {
  test.each([
    [
      { oneOf: [] },
      'schema call-create uses the keyword "oneOf" at /properties/x, which the generator does not support',
    ],
    [{ type: 'string', minLength: 1 }, 'the keyword "minLength" at /properties/x'],
    [{ const: 1 }, 'the keyword "const" at /properties/x'],
    [{ type: 'string', format: 'email' }, 'the format "email" at /properties/x'],
    [{ type: 'integer', format: 'uuid' }, 'a format of the type "integer" at /properties/x'],
    [{ type: 'text' }, 'the type "text" at /properties/x'],
    [{ type: 'number' }, 'the type "number" at /properties/x'],
    [{}, 'the types "" at /properties/x'],
    [{ type: ['string', 'integer'] }, 'the types "string, integer" at /properties/x'],
    [{ type: 'null' }, 'the types "null" at /properties/x'],
    [{ type: 'array' }, 'the type "array" at /properties/x'],
    [{ type: 'array', items: { enum: [] } }, 'the keyword "enum" at /properties/x/items'],
    [{ type: 'array', items: { type: 'array' } }, 'the type "array" at /properties/x/items'],
    [{ type: 'object', properties: {} }, 'the type "object" at /properties/x'],
    [
      { type: 'object', additionalProperties: { type: 'string' }, required: ['y'] },
      'the type "object" at /properties/x',
    ],
    [
      { type: 'object', additionalProperties: { $ref: '#' } },
      'the keyword "$ref" at /properties/x/additionalProperties',
    ],
  ])('%j is not supported', (x, message) => {
    expect(() => membersOf(named(x))).toThrow(SchemaError);
    expect(() => membersOf(named(x))).toThrow(message);
  });

  test.each([
    [{ $id, type: 'object', required: ['y'] }, 'schema call-create requires "y" without declaring it'],
    [{ title: 'odd', type: 'array' }, 'schema odd uses a body that is not an object of named members at its top'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'schema without a name uses a body that is not'],
  ] as const)('a body of %j is not supported', (schema, message) => {
    expect(() => membersOf(schema)).toThrow(message);
  });

  test('every generator throws on an unknown keyword at the top', () => {
    const schema = { title: 'odd', type: 'object', anyOf: [] } as JsonSchema;
    const message = 'schema odd uses the keyword "anyOf" at its top, which the generator does not support';
    for (const generate of [coveringSet, violations, validArbitrary, invalidArbitrary]) {
      expect(() => generate(schema)).toThrow(message);
    }
  });
});

describe('places', () => {
  test('names are escaped in a pointer', () => {
    const schema: JsonSchema = { type: 'object', properties: { 'b/~c': { type: 'string' } } };
    expect(membersOf(schema).map(({ name, pointer }) => [name, pointer])).toEqual([['b/~c', '/b~1~0c']]);
  });

  test('a pair of a map never has the name of a fixed member, in any letter case', () => {
    const options = { fixed: { '/to': '+1' } };
    expect(['to', 'To', 'TO', 'too'].map((name) => isFreeName(name, options))).toEqual([false, false, false, true]);
  });
});
