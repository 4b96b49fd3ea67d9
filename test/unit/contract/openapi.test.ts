import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import openapi from '../../../schemas/openapi.json' with { type: 'json' };
import { OPERATIONS, type Operation } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';

interface Reference {
  readonly $ref: string;
}
interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Reference }>>;
}
interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Reference }>>;
  };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}
interface Row {
  readonly method: string;
  readonly path: string;
  readonly documented: Documented;
}

const PATHS: Readonly<Record<string, Readonly<Record<string, Documented>>>> = openapi.paths;
const ROWS: readonly Row[] = Object.entries(PATHS).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]) => ({ method: method.toUpperCase(), path, documented })),
);
const FOLDER = new URL('../../../schemas/', import.meta.url);

function rowOf(id: string): Row {
  const rows = ROWS.filter(({ documented }) => documented.operationId === id);
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new RangeError(`openapi.json has ${rows.length} operations ${id}`);
  return row;
}

function schemaOf(content: Documented['requestBody'] | Answer): readonly (readonly [string, string])[] {
  return Object.entries(content?.content ?? {}).map(([type, { schema }]) => [type, schema?.$ref ?? ''] as const);
}

function placeholdersOf(operation: Operation): readonly string[] {
  return [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => (key === '$ref' ? String(below) : referencesIn(below)));
}

function isResolved(reference: string): boolean {
  const [file = '', pointer] = reference.split('#');
  if (file !== '') return existsSync(new URL(file, FOLDER));
  let here: unknown = openapi;
  for (const step of (pointer ?? '').split('/').slice(1)) {
    here = typeof here === 'object' && here !== null ? Reflect.get(here, step) : undefined;
  }
  return here !== undefined;
}

describe('openapi.json', () => {
  test('is a valid OpenAPI 3.1 document of version 1.0.0', async () => {
    const validator = new Validator();
    // The validator looks for an external reference only where it was told, and by the reference's own text.
    const files = referencesIn(openapi).filter((reference) => reference.startsWith('./'));
    for (const file of new Set(files)) await validator.addSpecRef(fileURLToPath(new URL(file, FOLDER)), file);
    expect(await validator.validate(structuredClone(openapi))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(openapi.info.version).toBe('1.0.0');
    expect(openapi.info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' });
  });

  test('has the operations of the table and no others', () => {
    expect(ROWS.map(({ documented }) => documented.operationId).toSorted()).toEqual(
      OPERATIONS.map(({ id }) => id).toSorted(),
    );
  });

  test.each(OPERATIONS)('$id has the method, path, title and parameters of the table', (operation) => {
    const { method, path, documented } = rowOf(operation.id);
    expect([method, path, documented.summary]).toEqual([operation.method, operation.path, operation.title]);
    const parameters = documented.parameters ?? [];
    expect(parameters.map(({ name }) => name)).toEqual(placeholdersOf(operation));
    expect(parameters.every((parameter) => parameter.in === 'path' && parameter.required)).toBe(true);
  });

  test.each(OPERATIONS)('$id has the body of the table, required where a member is', (operation) => {
    const { requestBody } = rowOf(operation.id).documented;
    const expected = operation.body === null ? [] : [['application/json', `./${operation.body}.schema.json`]];
    expect(schemaOf(requestBody)).toEqual(expected);
    // A body with a required member cannot be absent, although the interface calls only that of create call required.
    const required = operation.body === null ? undefined : BODY_SCHEMAS[operation.body].required;
    expect(requestBody?.required ?? false).toBe(required !== undefined);
  });

  test.each(OPERATIONS)('$id has the success status of the table, with any JSON', (operation) => {
    const { responses } = rowOf(operation.id).documented;
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const any = { description: expect.any(String), content: { 'application/json': {} } };
    expect(successes).toEqual([[operation.success === null ? '2XX' : String(operation.success), any]]);
  });

  test('create call alone names error statuses: 400, 409 and 503; any other is the same envelope', () => {
    for (const { documented } of ROWS) {
      const failures = Object.keys(documented.responses).filter((status) => !status.startsWith('2'));
      const named = documented.operationId === 'createCall' ? ['400', '409', '503'] : [];
      expect(failures).toEqual([...named, '4XX', 'default']);
      expect(documented.responses['4XX']).toEqual(documented.responses['default']);
    }
  });

  test('the five operations of section 7, and no others, have the failure that it names', () => {
    const named = ROWS.filter(({ documented }) =>
      referencesIn(documented.responses['default'])[0]?.endsWith('/NamedError'),
    );
    expect(named.map(({ documented }) => documented.operationId)).toEqual([
      ...['updateVoiceApplication', 'getCarrierProvider', 'searchAvailableNumbers', 'hangUpCall', 'answerCall'],
    ]);
  });

  test('every failure is the error envelope', () => {
    for (const answer of Object.values(openapi.components.responses)) {
      expect(schemaOf(answer)).toEqual([['application/json', './error-envelope.schema.json']]);
    }
    const failures = ROWS.flatMap(({ documented: { responses } }) =>
      Object.entries(responses).filter(([status]) => !status.startsWith('2')),
    );
    for (const [, answer] of failures) expect(referencesIn(answer)[0]).toMatch(/^#\/components\/responses\//);
  });

  test('every operation asks for the bearer credential', () => {
    expect(openapi.security).toEqual([{ organizationCredential: [] }]);
    expect(openapi.components.securitySchemes.organizationCredential).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(ROWS.filter(({ documented }) => 'security' in documented)).toEqual([]);
  });

  test('every reference leads somewhere', () => {
    const references = referencesIn(openapi);
    expect(references.length).toBeGreaterThan(OPERATIONS.length);
    expect(references.filter((reference) => !isResolved(reference))).toEqual([]);
  });
});
