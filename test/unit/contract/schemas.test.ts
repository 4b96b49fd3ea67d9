/** The schemas are their files; what a file of --samples is rejected for is in test/unit/cli/samples.test.ts. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS, ERROR_ENVELOPE, type JsonSchema } from '../../../src/contract/schemas.ts';

const FOLDER = new URL('../../../schemas/', import.meta.url);
const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...BODY_SCHEMAS, 'error-envelope': ERROR_ENVELOPE };

const KEYWORDS = [
  ...['$schema', '$id', 'title', 'description', 'type', 'const', 'required', 'properties'],
  ...['additionalProperties', 'items', 'format', 'writeOnly'],
];
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function nested(schema: JsonSchema): readonly JsonSchema[] {
  const { properties = {}, items, additionalProperties } = schema;
  const below = [...Object.values(properties), items, additionalProperties].filter((each) => each !== undefined);
  return [schema, ...below.flatMap(nested)];
}

describe('schemas', () => {
  test.each(Object.entries(SCHEMAS))('%s is its file and keeps to the keywords of JsonSchema', (name, schema) => {
    const file: unknown = JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8'));
    expect(schema).toEqual(file);
    expect(schema.$id).toBe(`https://pcs-conformance.invalid/schemas/${name}.schema.json`);
    for (const part of nested(schema)) {
      expect(KEYWORDS).toEqual(expect.arrayContaining(Object.keys(part)));
      expect(TYPES).toEqual(expect.arrayContaining([part.type].flat()));
    }
  });

  test('every operation with a body has a schema, and no schema is without its operation', () => {
    expect(Object.keys(BODY_SCHEMAS)).toEqual(OPERATIONS.flatMap(({ body }) => body ?? []));
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.schema.json'));
    expect(files).toEqual(expect.arrayContaining(Object.keys(SCHEMAS).map((name) => `${name}.schema.json`)));
  });

  test('exactly one field is a secret that is only written', () => {
    const secrets = Object.entries(SCHEMAS).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {}).flatMap(([field, { writeOnly }]) =>
        writeOnly ? `${name} ${field}` : [],
      ),
    );
    expect(secrets).toEqual(['inbound-auth secret']);
  });
});

const SCHEMA = JSON.parse(readFileSync(new URL('../../../schemas/samples.schema.json', import.meta.url), 'utf8'));

test('the schema of --samples has each operation with a body, and no other', () => {
  const { $schema: _, ...bodies } = SCHEMA.properties;
  const due = OPERATIONS.flatMap(({ id, body }) => (body === null ? [] : [[id, `${body}.schema.json`] as const]));
  const named = Object.entries(bodies).map(([name, schema]) => [name, Object(schema).$ref]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(due));
  expect([SCHEMA.type, SCHEMA.additionalProperties]).toEqual(['object', false]);
});
