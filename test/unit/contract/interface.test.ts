import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import openapi from '../../../schemas/openapi.json' with { type: 'json' };
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { BODY_SCHEMAS, ERROR_ENVELOPE, type JsonSchema } from '../../../src/contract/schemas.ts';

const TEXT = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8');
const LINES = TEXT.split('\n');
const GAP = / \[(GAP(?:-[A-Z0-9]+)+)\]$/;
const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...BODY_SCHEMAS, 'error-envelope': ERROR_ENVELOPE };

/** The rows of the first table below the heading, without its head; code marks removed. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const start = LINES.indexOf(heading);
  expect(start, heading).toBeGreaterThan(-1);
  const end = LINES.findIndex((line, index) => index > start && line.startsWith('#'));
  const rows = LINES.slice(start, end).filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** A field's type in the words of the page. */
function wordsFor(schema: JsonSchema): string {
  if (schema.items !== undefined) return `array of ${wordsFor(schema.items)}s`;
  if (schema.additionalProperties !== undefined) return `object of ${wordsFor(schema.additionalProperties)}s`;
  const types = [schema.type].flat().join(' or ');
  return schema.format === undefined ? types : `${schema.format.toUpperCase()} ${types}`;
}

/** Field, type and requiredness of each field, nested ones with a dotted name. */
function fieldsOf(schema: JsonSchema, prefix = ''): readonly (readonly [string, string, string])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [`${prefix}${name}`, wordsFor(field), schema.required?.includes(name) ? 'yes' : 'no'] as const,
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
}

function descriptionOf(answer: unknown): readonly string[] {
  return typeof answer === 'object' && answer !== null && 'description' in answer ? [String(answer.description)] : [];
}

describe('docs/interface.md', () => {
  test('has sections 1 to 9 in order', () => {
    expect(TEXT.match(/(?<=^## )\d(?=\. )/gm)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  test('has the operations of the table, to the letter', () => {
    const rows = OPERATIONS.map(({ id, title, method, path, success }) => [id, title, method, path, success ?? '2xx']);
    const cells = tableBelow('## 4. Operations').map((row) => row.toSpliced(4, 1));
    expect(cells).toEqual(rows.map((row) => row.map(String)));
  });

  test('names the body of each operation that has one', () => {
    const bodies = tableBelow('## 4. Operations').map((row) => row[4]);
    const expected = OPERATIONS.map(({ body }) => body ?? expect.stringMatching(/^none( shown)?$/));
    expect(bodies).toEqual(expected);
  });

  test('says which paths end with a slash', () => {
    const slashed = [...TEXT.matchAll(/^The path `(.+)` ends with a slash\.$/gm)].map(([, path]) => path);
    expect(slashed.toSorted()).toEqual([
      ...new Set(OPERATIONS.map(({ path }) => path).filter((path) => path.endsWith('/'))),
    ]);
  });

  test('says which bodies are required', () => {
    expect(OPERATIONS.filter(({ bodyRequired }) => bodyRequired).map(({ id }) => id)).toEqual(['createCall']);
    expect(LINES).toContain('Create call requires its body.');
  });

  test.each(Object.entries(SCHEMAS))('has the fields of %s with type and requiredness', (name, schema) => {
    const rows = tableBelow(`### Body \`${name}\``);
    const open = schema.required === undefined;
    expect(rows).toEqual(fieldsOf(schema).map((row) => (open ? row.slice(0, 2) : row)));
  });

  test('has the error statuses of create call', () => {
    expect(tableBelow('## 7. Errors').map(([status, , operation]) => [status, operation])).toEqual([
      ['400', 'createCall'],
      ['409', 'createCall'],
      ['503', 'createCall'],
    ]);
  });

  test('describes success in the words of openapi.json, where the interface has any', () => {
    const described = LINES.filter((line) => line.startsWith('Success of ')).map((line) => /"(.+)"/.exec(line)?.[1]);
    const answers = Object.values(openapi.paths).flatMap((path) => Object.values(path));
    const shown = answers
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((answer) => descriptionOf(answer));
    expect(described).toEqual(shown.filter((description) => !description.startsWith('Success;')));
  });

  test('names the operations whose failures have the envelope, as openapi.json does', () => {
    const named = [...TEXT.matchAll(/^A failure of `(.+)` has the same envelope\.$/gm)].map(([, id]) => id);
    const answers = Object.values(openapi.paths).flatMap((path) => Object.values(path));
    const failing = answers.filter(({ responses }) => responses.default.$ref === '#/components/responses/NamedError');
    expect(named).toEqual(failing.map(({ operationId }) => operationId));
  });

  test('every gap is one sentence with an id of its own, below the heading for gaps', () => {
    const gaps = LINES.filter((line) => /does not say|is silent/.test(line) && line.startsWith('- '));
    expect(gaps.length).toBe((TEXT.match(/\[GAP-/g) ?? []).length);
    for (const gap of gaps)
      expect(gap).toMatch(/^- The interface (does not say|is silent on) [^.]+(\.\w[^.]+)*\. \[GAP/);
    const ids = gaps.map((gap) => GAP.exec(gap)?.[1]);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a line holds one sentence', () => {
    const prose = LINES.filter((line) => line !== '' && !/^[|#]/.test(line)).map((line) => line.replace(GAP, ''));
    for (const line of prose) expect(line).toMatch(/^(- )?[A-Z].*[.]$/);
    for (const line of prose) expect(line).not.toMatch(/[.] [A-Z]/);
  });
});
