/** docs/interface.md says of each sentence what answers for it, and agrees with the operations and the schemas. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import openapi from '../schemas/openapi.json' with { type: 'json' };
import { completedPage, pageEntries, renderRequirements, sectionTitles } from '../scripts/contract-pages.ts';
import { CONTRACT, placeOf, statementsOf } from '../scripts/traceability.ts';
import { OPERATIONS } from '../src/contract/operations.ts';
import { BODY_SCHEMAS, ERROR_ENVELOPE, type JsonSchema } from '../src/contract/schemas.ts';

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const PAGE = textOf('docs/interface.md');
const LINES = PAGE.split('\n');
const ENTRIES = pageEntries(CONTRACT);
const REASONS = [...(PAGE.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason);
const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...BODY_SCHEMAS, 'error-envelope': ERROR_ENVELOPE };

/** How many questions each section of the specification leaves open in so many words ("not shown"). */
const NOT_SHOWN = { 1: 6, 2: 17, 3: 3, 4: 7, 5: 6, 6: 4, 7: 2, 8: 4, 9: 2 };

/** What is wrong with a page, one line for each problem. */
function problemsOf(page: string): readonly string[] {
  const statements = statementsOf(page);
  const known = new Set(ENTRIES.map(({ id }) => id));
  const named = new Set(statements.flatMap(({ ids }) => ids));
  return [
    ...statements.flatMap((one) => (one.ids.length > 0 || one.reason !== undefined ? [] : [`no id: ${placeOf(one)}`])),
    ...statements.flatMap(({ reason, quote }) =>
      reason === undefined || REASONS.includes(reason) ? [] : [`unknown reason ${reason}: ${quote}`],
    ),
    ...[...named].filter((id) => !known.has(id)).map((id) => `unknown id: ${id}`),
    ...ENTRIES.filter(({ id }) => !named.has(id)).map(({ id }) => `named by no sentence: ${id}`),
    ...ENTRIES.flatMap(({ id, section }) => {
      const inSection = statements.some((one) => one.section === section && one.ids.includes(id));
      return !named.has(id) || inSection || section.startsWith('RFC') ? [] : [`not named in section ${section}: ${id}`];
    }),
  ];
}

describe('docs/interface.md as the register', () => {
  test('says of each sentence what answers for it, and names every requirement, gap and reading', () => {
    expect(problemsOf(PAGE)).toEqual([]);
    expect(statementsOf(PAGE).length).toBeGreaterThan(150);
  });

  test('uses each of its reasons', () => {
    const used = new Set(statementsOf(PAGE).flatMap(({ reason }) => reason ?? []));
    expect([...used].toSorted()).toEqual(REASONS.toSorted());
  });

  test('has a place of its own for each statement', () => {
    const places = statementsOf(PAGE).map(placeOf);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  test('opens each gap once, in the section of the gap', () => {
    const open = statementsOf(PAGE).flatMap(({ section, ids }) =>
      ids.filter((id) => id.startsWith('GAP-')).map((id) => `${section} ${id}`),
    );
    expect(open.toSorted()).toEqual(CONTRACT.gaps.map(({ id, section }) => `${section} ${id}`).toSorted());
  });

  test('misses no question that the specification names', () => {
    const counts = [
      ...PAGE.matchAll(/^### Open in section (\d)\n\n(?:Not shown, as the specification says:\n\n((?:- .*\n)+))/gm),
    ];
    expect(Object.fromEntries(counts.map(([, number, items = '']) => [number, items.split('\n- ').length]))).toEqual(
      NOT_SHOWN,
    );
  });

  test('has what npm run docs writes into it, and docs/requirements.md is what it writes', () => {
    expect(completedPage(PAGE, ENTRIES) === PAGE, 'run npm run docs').toBe(true);
    expect(textOf('docs/requirements.md') === renderRequirements(CONTRACT, PAGE), 'run npm run docs').toBe(true);
  });

  test('links to headings that docs/requirements.md has, and is linked from there', () => {
    const slugs = (page: string): readonly string[] =>
      [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
    const anchors = (page: string, to: string): readonly string[] =>
      [...page.matchAll(new RegExp(`${to}#([\\w-]+)`, 'g'))].map(([, anchor = '']) => anchor);
    const requirements = textOf('docs/requirements.md');
    expect(anchors(PAGE, 'requirements.md').filter((one) => !slugs(requirements).includes(one))).toEqual([]);
    expect(anchors(requirements, 'interface.md').filter((one) => !slugs(PAGE).includes(one))).toEqual([]);
    expect(anchors(requirements, 'interface.md').length).toBeGreaterThan(ENTRIES.length);
  });
});

describe('the register says in a line what is wrong', () => {
  test('and npm run docs adds a line for what is new, in its section', () => {
    const added = [
      { id: 'NEW-ONE', section: '5' },
      { id: 'NEW-STANDARD', section: 'RFC 9110, 1' },
      { id: 'GAP-NEW', section: '5' },
    ];
    const page = completedPage(PAGE, [...ENTRIES, ...added]);
    const fresh = statementsOf(page).filter(({ ids }) => added.some(({ id }) => ids.includes(id)));
    expect(fresh.map(({ section, ids }) => [section, ...ids])).toEqual([
      ['5', 'NEW-ONE'],
      ['5', 'GAP-NEW'],
      ['10', 'NEW-STANDARD'],
    ]);
    expect(page).toContain('[NEW-ONE]: requirements.md#new-one\n');
    expect(completedPage(page, [...ENTRIES, ...added])).toBe(page);
    const moved = page.replace('- Further: [NEW-STANDARD]\n', '').replace(/(\n- .*\.) \[/, '$1 [NEW-STANDARD], [');
    expect(completedPage(moved, [...ENTRIES, ...added])).toBe(moved);
    expect(completedPage(page, ENTRIES).replaceAll(/^- Further: .*\n/gm, '')).toBe(PAGE);
  });
});

/** The rows of the first table below the heading, without its head and its last column; code marks removed. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const start = LINES.indexOf(heading);
  expect(start, heading).toBeGreaterThan(-1);
  const end = LINES.findIndex((line, index) => index > start && line.startsWith('#'));
  const rows = LINES.slice(start, end).filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const cells = row.slice(1, -1).split('|');
    return cells.slice(0, -1).map((cell) => cell.trim().replaceAll('`', ''));
  });
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

/** Code spans of the one line that has the words. */
function namesIn(words: string): readonly string[] {
  const lines = LINES.filter((line) => line.includes(words));
  expect(lines.length, words).toBe(1);
  return [...(lines[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

const DOCUMENTED = Object.values(openapi.paths).flatMap((path) => Object.values(path));

describe('docs/interface.md as a restatement', () => {
  test('has sections 1 to 10 in order', () => {
    expect([...sectionTitles(PAGE).keys()]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  test('has the operations of the table, to the letter', () => {
    const rows = OPERATIONS.map(({ id, title, method, path, success }) => [id, title, method, path, success ?? '2xx']);
    const cells = tableBelow('## 4. Operations').map((row) => row.toSpliced(4, 1));
    expect(cells).toEqual(rows.map((row) => row.map(String)));
  });

  test('names the body of each operation that has one', () => {
    const bodies = tableBelow('## 4. Operations').map((row) => row[4]);
    expect(bodies).toEqual(OPERATIONS.map(({ body }) => body ?? expect.stringMatching(/^none( shown)?$/)));
  });

  test('says which paths end with a slash', () => {
    const slashed = new Set(OPERATIONS.map(({ path }) => path).filter((path) => path.endsWith('/')));
    expect(namesIn('paths end with a slash').toSorted()).toEqual([...slashed].toSorted());
  });

  test('says which bodies are required', () => {
    expect(OPERATIONS.filter(({ bodyRequired }) => bodyRequired).map(({ id }) => id)).toEqual(['createCall']);
    expect(PAGE).toContain('calls only that of create call required.');
  });

  test.each(Object.entries(SCHEMAS))('has the fields of %s with type and requiredness', (name, schema) => {
    const open = schema.required === undefined;
    expect(tableBelow(`### Body \`${name}\``)).toEqual(fieldsOf(schema).map((row) => (open ? row.slice(0, 2) : row)));
  });

  test('has the error statuses of create call', () => {
    const rows = tableBelow('## 7. Errors').map(([status, , operation]) => [status, operation]);
    expect(rows).toEqual(['400', '409', '503'].map((status) => [status, 'createCall']));
  });

  test('describes success in the words of openapi.json, where the interface has any', () => {
    const line = LINES.find((text) => text.startsWith('- Success is described as ')) ?? '';
    const described = [...line.matchAll(/"(.+?)"/g)].map(([, words]) => words);
    const answers = DOCUMENTED.flatMap(({ responses }): readonly object[] => Object.values(responses));
    const shown = answers.flatMap((answer) => ('description' in answer ? [String(answer.description)] : []));
    expect(described).toEqual(shown.filter((description) => !description.startsWith('Success;')));
  });

  test('names the operations whose failures have the envelope, as openapi.json does', () => {
    const failing = DOCUMENTED.filter(
      ({ responses }) => responses.default.$ref === '#/components/responses/NamedError',
    );
    expect(namesIn('use the same envelope')).toEqual(failing.map(({ operationId }) => operationId));
  });

  test('has one sentence on a line', () => {
    for (const { quote, table } of statementsOf(PAGE)) {
      expect(quote).not.toMatch(/[.] [A-Z]/);
      if (table === undefined) expect(quote).toMatch(/\.$/);
    }
  });
});
