import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import { coveringSet } from '../../../src/generate/covering.ts';
import type { JsonValue } from '../../../src/generate/json.ts';
import { oracle } from './oracle.ts';
import { APPLICATION, CALL_OPTIONS, SUBJECTS, TRUNK } from './subjects.ts';

const ABSENT = 'absent';

/** What each optional member of create call can be, as JSON text in lower case. */
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  application_id: [ABSENT, 'null', `"${APPLICATION}"`],
  trunk_id: [ABSENT, 'null', `"${TRUNK}"`],
  variables: [ABSENT, '{}', '{"key":"plain"}'],
  privacy: [ABSENT, 'true', 'false'],
};

/** The interface does not show which values of these are accepted. */
const EXCLUDED = ['/dtmf_mode', '/codecs', '/media_encryption'] as const;

type Body = { readonly [name: string]: JsonValue };

/** The pairs of levels that no body shows; `read` gives a member's level in a body. */
function missingPairs(
  levels: Readonly<Record<string, readonly string[]>>,
  bodies: readonly JsonValue[],
  read: (value: JsonValue | undefined) => string,
): readonly string[] {
  const names = Object.keys(levels);
  const shows = (name: string, level: string) => (body: JsonValue) => read((body as Body)[name]) === level;
  return names.flatMap((a, index) =>
    names
      .slice(index + 1)
      .flatMap((b) =>
        (levels[a] ?? []).flatMap((x) =>
          (levels[b] ?? [])
            .filter((y) => !bodies.filter(shows(a, x)).some(shows(b, y)))
            .map((y) => `${a}=${x} with ${b}=${y}`),
        ),
      ),
  );
}

const written = (value: JsonValue | undefined) => (value === undefined ? ABSENT : JSON.stringify(value).toLowerCase());
const valuesOf = (schema: JsonSchema, options = {}) => coveringSet(schema, options).map(({ value }) => value);

describe('the covering set of create call', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const set = coveringSet(schema, { ...CALL_OPTIONS, exclude: EXCLUDED });
  const values = set.map(({ value }) => value);

  test('shows every pair of choices of all members, and the first body has the required ones only', () => {
    expect(missingPairs(LEVELS, values, written)).toEqual([]);
    expect(values[0]).toEqual({ from: '+15550100', to: '+15550101' });
    expect(values.length).toBe(9);
  });

  test('shows every choice of a member in its first five bodies, for a target with a quota', () => {
    const first = values.slice(0, 5).map((body) => Object.keys(LEVELS).map((name) => written((body as Body)[name])));
    expect(
      Object.values(LEVELS).map((levels, at) => levels.filter((one) => !first.some((row) => row[at] === one))),
    ).toEqual(Object.keys(LEVELS).map(() => []));
  });

  test('invents no id and leaves out excluded members', () => {
    const { fixed } = CALL_OPTIONS;
    const without = coveringSet(schema, { fixed, exclude: EXCLUDED });
    const levels = without.flatMap(({ value }) => Object.entries(value as Body));
    expect(levels.filter(([name]) => name.endsWith('_id')).every(([, value]) => value === null)).toBe(true);
    expect(levels.some(([name]) => name === 'dtmf_mode' || name === 'codecs')).toBe(false);
  });
});

describe.each(SUBJECTS)('the covering set of $name', ({ schema, options }) => {
  test('is valid', () => {
    const rejectionsOf = oracle(schema);
    for (const value of valuesOf(schema, options)) expect(rejectionsOf(value)).toEqual([]);
  });
});

describe('covering sets of many members', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
  const schemaOf = (count: number): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(names(count).map((name) => [name, { type: 'boolean' }])),
  });

  test.each([1, 2, 3, 4, 5, 7, 10, 20])('%i members show every pair of choices', (count) => {
    const levels = Object.fromEntries(names(count).map((name) => [name, [ABSENT, 'true', 'false']]));
    const values = valuesOf(schemaOf(count));
    expect(missingPairs(levels, values, written)).toEqual([]);
    for (const [name, each] of Object.entries(levels)) {
      expect(new Set(values.map((value) => written((value as Body)[name])))).toEqual(new Set(each));
    }
  });
});
