import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { OPENAPI_FILES, openApi, renderOpenApi } from '../../../scripts/openapi.ts';
import { OPERATIONS, type Operation } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';

interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly security: readonly object[];
}

function valuesUnder(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [
    ...(key === name ? [below] : []),
    ...valuesUnder(below, name),
  ]);
}

function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [key, ...keysIn(below)]);
}

function at(document: object, pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((here, step) => Object(here)[step], document);
}

const placeholdersOf = (operation: Operation): readonly string[] =>
  [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');

describe.each(Object.entries(OPENAPI_FILES))('%s', (file, version) => {
  const document = openApi(version) as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({ method: method.toUpperCase(), path, documented })),
  );
  const rowOf = (id: string) => rows.find(({ documented }) => documented.operationId === id);

  test('is what the build writes', () => {
    expect(readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8')).toBe(renderOpenApi(version));
  });

  test('is a valid document', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(version.startsWith(validator.version)).toBe(true);
  });

  test('needs no other file, and has no keyword that generators trip over', () => {
    const references = valuesUnder(document, '$ref').map(String);
    expect(references.length).toBeGreaterThan(OPERATIONS.length);
    expect(references.filter((one) => !one.startsWith('#/') || at(document, one) === undefined)).toEqual([]);
    const old = version === '3.0.3';
    const forbidden = ['$id', '$schema', ...(old ? ['const', '2XX', '4XX'] : [])];
    expect(keysIn(document).filter((key) => forbidden.includes(key))).toEqual([]);
    expect(valuesUnder(document, 'type').some(Array.isArray)).toBe(!old);
    expect(valuesUnder(document, 'nullable')).toEqual(old ? [true, true] : []);
  });

  test('has the operations of the table and no others', () => {
    expect(rows.map(({ documented }) => documented.operationId).toSorted()).toEqual(
      OPERATIONS.map(({ id }) => id).toSorted(),
    );
    expect(document.security).toEqual([{ organizationCredential: [] }]);
  });

  test.each(OPERATIONS)('$id has the method, path, title, parameters, body and success of the table', (operation) => {
    const row = rowOf(operation.id);
    const { method, path, title } = operation;
    expect([row?.method, row?.path, row?.documented.summary]).toEqual([method, path, title]);
    const { parameters = [], requestBody, responses } = row?.documented ?? ({} as Documented);
    expect(parameters.map(({ name }) => name)).toEqual(placeholdersOf(operation));
    expect(parameters.every((parameter) => parameter.in === 'path' && parameter.required)).toBe(true);
    // A body with a required member cannot be absent, although the interface calls only that of create call required.
    const { body } = operation;
    expect(requestBody?.required).toBe(body === null ? undefined : BODY_SCHEMAS[body].required !== undefined);
    const members = valuesUnder(requestBody, '$ref').flatMap((one) =>
      Object.keys(Object(at(document, `${one}`)).properties),
    );
    expect(members).toEqual(body === null ? [] : Object.keys(BODY_SCHEMAS[body].properties ?? {}));
    const any = version === '3.0.3' ? '200' : '2XX';
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(successes).toEqual([operation.success === null ? any : String(operation.success)]);
    // What the interface does not show is any JSON.
    expect(keysIn(responses[successes[0] ?? '']).filter((key) => /type$|properties/.test(key))).toEqual([]);
    expect(valuesUnder(row?.documented, 'example')).toHaveLength(body === null ? 0 : 1);
  });
});
