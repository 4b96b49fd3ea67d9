import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS, ERROR_ENVELOPE, type JsonSchema } from '../../../src/contract/schemas.ts';

const FOLDER = new URL('../../../schemas/', import.meta.url);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID = '0b7f4c52-9d0e-4a51-8a53-6f1f6f3c2a10';
const CALL = { from: '+15550100', to: '+15550101' };
const ENVELOPE = { success: false, error: { code: 'bad', message: 'no' } };
const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...BODY_SCHEMAS, 'error-envelope': ERROR_ENVELOPE };

const KEYWORDS = [
  ...['$schema', '$id', 'title', 'description', 'type', 'const', 'required', 'properties'],
  ...['additionalProperties', 'items', 'format', 'writeOnly'],
];
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const ACCEPTED: readonly (readonly [schema: string, what: string, value: unknown])[] = [
  ['call-create', 'from and to alone', CALL],
  ['call-create', 'null ids', { ...CALL, application_id: null, trunk_id: null }],
  ['call-create', 'a UUID in upper case', { ...CALL, application_id: ID, trunk_id: ID.toUpperCase() }],
  ['call-create', 'empty collections', { ...CALL, variables: {}, codecs: [] }],
  ['call-create', 'every field', { ...CALL, variables: { a: 'b' }, privacy: true, dtmf_mode: 'x', codecs: ['y'] }],
  ['call-create', 'a member that the interface does not name', { ...CALL, media_encryption: 'z', colour: 1 }],
  ['voice-application-update', 'no member', {}],
  ['voice-application-update', 'a negative integer', { ring_timeout_seconds: -1 }],
  ['inbound-auth', 'every field', { method: 'm', username: 'u', realm: 'r', secret: 's' }],
  ['trunk-update', 'the name alone', { name: '' }],
  ['number-assignment', 'a UUID', { carrier_connection_id: ID }],
  ['number-assignment', 'a member that the interface does not name', { carrier_connection_id: ID, colour: 1 }],
  ['error-envelope', 'the plain envelope', ENVELOPE],
  ['error-envelope', 'more members at both levels', { ...ENVELOPE, id: 1, error: { ...ENVELOPE.error, id: 1 } }],
];

const REJECTED: readonly (readonly [schema: string, what: string, value: unknown])[] = [
  ['call-create', 'no to', { from: 'a' }],
  ['call-create', 'no from', { to: 'a' }],
  ['call-create', 'null in to', { ...CALL, to: null }],
  ['call-create', 'a number in from', { ...CALL, from: 1 }],
  ['call-create', 'a plain word in application_id', { ...CALL, application_id: 'word' }],
  ['call-create', 'a letter past f in trunk_id', { ...CALL, trunk_id: ID.replace('f', 'g') }],
  ['call-create', 'a number in variables', { ...CALL, variables: { a: 1 } }],
  ['call-create', 'a list in variables', { ...CALL, variables: [] }],
  ['call-create', 'a word in privacy', { ...CALL, privacy: 'true' }],
  ['call-create', 'a number in dtmf_mode', { ...CALL, dtmf_mode: 1 }],
  ['call-create', 'a word in codecs', { ...CALL, codecs: 'a' }],
  ['call-create', 'null within codecs', { ...CALL, codecs: [null] }],
  ['call-create', 'a number in media_encryption', { ...CALL, media_encryption: 1 }],
  ['call-create', 'a list as the body', []],
  ...['name', 'ring_timeout_seconds', 'caller_id', 'voice_url', 'callback_url'].map(
    (field) => ['voice-application-update', `true in ${field}`, { [field]: true }] as const,
  ),
  ['voice-application-update', 'a fraction in ring_timeout_seconds', { ring_timeout_seconds: 1.5 }],
  ...['method', 'username', 'realm', 'secret'].map(
    (field) => ['inbound-auth', `null in ${field}`, { [field]: null }] as const,
  ),
  ...['name', 'direction', 'status'].map((field) => ['trunk-update', `a list in ${field}`, { [field]: [] }] as const),
  ['number-assignment', 'no member', {}],
  ['number-assignment', 'null', { carrier_connection_id: null }],
  ['number-assignment', 'a plain word', { carrier_connection_id: 'word' }],
  ['error-envelope', 'success true', { ...ENVELOPE, success: true }],
  ['error-envelope', 'no success', { error: ENVELOPE.error }],
  ['error-envelope', 'no error', { success: false }],
  ['error-envelope', 'a word as error', { success: false, error: 'no' }],
  ['error-envelope', 'no code', { success: false, error: { message: 'no' } }],
  ['error-envelope', 'no message', { success: false, error: { code: 'no' } }],
  ['error-envelope', 'a number as code', { success: false, error: { code: 400, message: 'no' } }],
  ['error-envelope', 'null as message', { success: false, error: { code: 'no', message: null } }],
];

// One for all: it compiles each schema once.
const ajv = new Ajv2020({ strict: true, formats: { uuid: UUID } });

function accepts(name: string, value: unknown): boolean {
  const schema = SCHEMAS[name];
  if (schema === undefined) throw new RangeError(`no schema is called ${name}`);
  return ajv.validate(schema, value);
}

function nested(schema: JsonSchema): readonly JsonSchema[] {
  const { properties = {}, items, additionalProperties } = schema;
  const below = [...Object.values(properties), items, additionalProperties].filter((each) => each !== undefined);
  return [schema, ...below.flatMap(nested)];
}

describe('schemas', () => {
  test.each(ACCEPTED)('%s accepts %s', (name, _what, value) => {
    expect(accepts(name, value)).toBe(true);
  });

  test.each(REJECTED)('%s rejects %s', (name, _what, value) => {
    expect(accepts(name, value)).toBe(false);
  });

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
