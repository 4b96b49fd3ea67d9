import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/results.schema.json' with { type: 'json' };
import { renderResults } from '../../../src/report/json-files.ts';
import { MADE, RESULTS } from './made-run.ts';

const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);

const CUT = { answers: 6, operations: ['listNumbers'] };

type Document = Record<string, unknown>;
type Step = string | number;

/** Where a member may be missing: which one, by the path to it with every index written `-`. */
const OPTIONAL = ['counts/mayBeOpen', 'requirements/-/reading', 'requirements/-/cases/-/remedy'];

function pathsOf(value: unknown, at: readonly Step[] = []): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: readonly [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...entries.flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function changed(path: readonly Step[], change: (parent: Document, key: string) => void): unknown {
  const copy = structuredClone(RESULTS) as unknown;
  const parent = path.slice(0, -1).reduce((value, key) => (value as Document)[String(key)], copy);
  change(parent as Document, String(path.at(-1)));
  return copy;
}

const nameOf = (path: readonly Step[]): string => path.map((key) => (typeof key === 'number' ? '-' : key)).join('/');
const atPath = (path: readonly Step[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Document)[String(key)], RESULTS);
const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const PATHS = pathsOf(RESULTS).filter((path) => path.length > 0);

describe('the schema of results.json', () => {
  test('accepts the results of every verdict', () => {
    expect(validate(RESULTS), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...RESULTS, cut: CUT })).toBe(true);
  });

  test('rejects results with any member missing', () => {
    const kept = PATHS.filter((path) => isObject(atPath(path.slice(0, -1))) && !OPTIONAL.includes(nameOf(path)))
      .filter((path) => !(path.at(-1) === 'reason' && nameOf(path) === 'requirements/-/cases/-/reason' && isPass(path)))
      .filter((path) => validate(changed(path, (parent, key) => delete parent[key])));
    expect(kept.map(nameOf)).toEqual([]);
  });

  test('rejects a value of another type everywhere', () => {
    const wrong = (value: unknown): unknown => (typeof value === 'number' ? 'one' : 1.5);
    const taken = PATHS.filter((path) => validate(changed(path, (parent, key) => (parent[key] = wrong(parent[key])))));
    expect(taken.map(nameOf)).toEqual([]);
  });

  test('rejects a value among the names of settings', () => {
    expect(validate({ ...RESULTS, settings: ['PCS_ACCESS_TOKEN=pcs_org_x'] })).toBe(false);
  });
});

function isPass(path: readonly Step[]): boolean {
  return (atPath(path.slice(0, -1)) as Document)['verdict'] === 'pass';
}

describe('results.json', () => {
  test('contains the results in their order', () => {
    const text = renderResults({ results: MADE.results });
    expect(JSON.parse(text)).toEqual(RESULTS);
    expect(Object.keys(JSON.parse(text) as Document)).toEqual(Object.keys(RESULTS));
    expect(text).toMatch(/^\{\n {2}"format": /);
    expect(text.endsWith('}\n')).toBe(true);
  });
});
