import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { coveringSet, type Depth } from '../../../src/generate/covering.ts';
import type { JsonValue } from '../../../src/generate/json.ts';
import type { SchemaNode } from '../../../src/generate/schema.ts';
import { oracle } from './oracle.ts';
import { APPLICATION, CALL_OPTIONS, SUBJECTS, TRUNK } from './subjects.ts';

const ABSENT = 'absent';

/** What each optional member of create call can hold, as JSON text. */
const LEVELS: Readonly<Record<string, readonly string[]>> = {
  application_id: [ABSENT, 'null', `"${APPLICATION}"`, `"${APPLICATION.toUpperCase()}"`],
  trunk_id: [ABSENT, 'null', `"${TRUNK}"`, `"${TRUNK.toUpperCase()}"`],
  variables: [ABSENT, '{}', '{"key":"plain"}'],
  privacy: [ABSENT, 'true', 'false'],
  dtmf_mode: [ABSENT, '"rfc2833"'],
  codecs: [ABSENT, '[]', '["PCMU"]'],
  media_encryption: [ABSENT, '"plain"'],
};

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

const written = (value: JsonValue | undefined) => (value === undefined ? ABSENT : JSON.stringify(value));
const presence = (value: JsonValue | undefined) => (value === undefined ? ABSENT : 'present');
const twoLevels = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, [ABSENT, 'present']]));
const valuesOf = (schema: SchemaNode, depth: Depth, options = {}) =>
  coveringSet(schema, { ...options, depth }).map(({ value }) => value);

describe('the covering set of create call', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const set = coveringSet(schema, CALL_OPTIONS);
  const values = set.map(({ value }) => value);

  test('takes six bodies, the first with the required members only', () => {
    expect(set).toHaveLength(6);
    expect(values[0]).toEqual({ from: '+15550100', to: '+15550101' });
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(6);
  });

  test('shows every pair of members in all four states of presence', () => {
    expect(missingPairs(twoLevels(Object.keys(LEVELS)), values, presence)).toEqual([]);
  });

  test('shows every choice of every member', () => {
    for (const [name, levels] of Object.entries(LEVELS)) {
      expect(new Set(values.map((value) => written((value as Body)[name])))).toEqual(new Set(levels));
    }
  });

  test('gives both ids together in one body', () => {
    expect(values.some((value) => (value as Body)['application_id'] && (value as Body)['trunk_id'])).toBe(true);
  });

  test('names what each body does', () => {
    const features = set.flatMap((body) => body.features.map(({ pointer, choice }) => `${pointer}: ${choice}`));
    for (const feature of [
      '/privacy: true',
      '/application_id: null',
      '/trunk_id: absent',
      '/application_id: upper case',
      '/variables: {}',
      '/variables: one pair',
    ]) {
      expect(features).toContain(feature);
    }
    expect(set[0]?.label).toBe(
      Object.keys(LEVELS)
        .map((name) => `/${name}: absent`)
        .join(', '),
    );
  });

  test('shows every pair of choices at the greater depth', () => {
    const deep = valuesOf(schema, 'choices', CALL_OPTIONS);
    expect(missingPairs(LEVELS, deep, written)).toEqual([]);
    expect(deep[0]).toEqual(values[0]);
    expect(deep.length).toBeLessThanOrEqual(20);
  });

  test('makes up no id and leaves out what is kept out', () => {
    const { fixed } = CALL_OPTIONS;
    const without = coveringSet(schema, { fixed, exclude: ['/dtmf_mode', '/codecs'] });
    const levels = without.flatMap(({ value }) => Object.entries(value as Body));
    expect(levels.filter(([name]) => name.endsWith('_id')).every(([, value]) => value === null)).toBe(true);
    expect(levels.some(([name]) => name === 'dtmf_mode' || name === 'codecs')).toBe(false);
  });

  test('is refused where a required id has no pool', () => {
    expect(() => coveringSet(BODY_SCHEMAS['number-assignment'])).toThrow('/carrier_connection_id needs a UUID');
  });
});

describe.each(SUBJECTS)('the covering set of $name', ({ schema, options }) => {
  test.each(['presence', 'choices'] as const)('is valid throughout at the depth of %s', (depth) => {
    const refusalsOf = oracle(schema);
    for (const value of valuesOf(schema, depth, options)) expect(refusalsOf(value)).toEqual([]);
  });
});

describe('covering sets of many members', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
  const schemaOf = (count: number): SchemaNode => ({
    type: 'object',
    properties: Object.fromEntries(names(count).map((name) => [name, { type: 'boolean' }])),
  });

  test.each([1, 2, 3, 4, 7, 10, 11, 20])('%i members are covered in both ways', (count) => {
    const shallow = valuesOf(schemaOf(count), 'presence');
    expect(missingPairs(twoLevels(names(count)), shallow, presence)).toEqual([]);
    const levels = Object.fromEntries(names(count).map((name) => [name, [ABSENT, 'true', 'false']]));
    for (const [name, each] of Object.entries(levels)) {
      expect(new Set(shallow.map((value) => written((value as Body)[name])))).toEqual(new Set(each));
    }
    expect(missingPairs(levels, valuesOf(schemaOf(count), 'choices'), written)).toEqual([]);
  });

  test('ten members take no more than six bodies by presence', () => {
    expect(valuesOf(schemaOf(10), 'presence')).toHaveLength(6);
    expect(valuesOf(schemaOf(11), 'presence')).toHaveLength(7);
    expect([0, 1, 2, 3, 4, 5].map((count) => valuesOf(schemaOf(count), 'presence').length)).toEqual([2, 3, 4, 4, 5, 6]);
  });

  test('nothing to vary takes one body', () => {
    const schema: SchemaNode = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    expect(valuesOf(schema, 'presence')).toEqual([{ n: 30 }]);
    expect(valuesOf(schema, 'choices')).toEqual([{ n: 30 }]);
  });

  test('an optional object is there with its required members or with all that are not kept out', () => {
    const x: SchemaNode = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: ['string', 'null'], format: 'uuid' }, a: { type: 'string' }, b: { type: 'string' } },
    };
    const set = coveringSet({ type: 'object', properties: { x } }, { exclude: ['/x/b'] });
    expect(set.map(({ value, label }) => [label, value])).toEqual([
      ['/x: absent', {}],
      ['/x: required members', { x: { id: null } }],
      ['/x: all members', { x: { id: null, a: 'plain' } }],
    ]);
  });

  test('a member with more choices than its rows show gets all of them', () => {
    const pool = ['00', '11', '22', '33', '44'].map((tail) => `${TRUNK.slice(0, -2)}${tail}`);
    const schema: SchemaNode = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };
    const set = coveringSet(schema, { pool: { '/id': pool } });
    expect(set.map(({ value }) => (value as Body)['id'])).toEqual([undefined, ...pool]);
    expect(set.slice(0, 3).map(({ label }) => label)).toEqual(['/id: absent', '/id: lower case', '/id: lower case 2']);
  });
});
