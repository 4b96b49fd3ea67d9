import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS } from '../../../src/contract/schemas.ts';
import { invalidArbitrary } from '../../../src/generate/invalid.ts';
import { BODY_LIMIT, type JsonValue, sizeOf } from '../../../src/generate/json.ts';
import { freeNames } from '../../../src/generate/scalars.ts';
import { sampled } from '../../../src/generate/seeded.ts';
import { validArbitrary } from '../../../src/generate/valid.ts';
import { misnamed, oracle, serialized } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

const EACH = 4500;
const SEED = 20_260;
const TEXT = { type: 'string' };

/** Visits the values that an arbitrary shrinks to, along a path that turns aside at every third. */
function shrinksOf<T>(arbitrary: fc.Arbitrary<T>, seed: number, visit: (shrunk: T, original: T) => void): number {
  let original: { readonly value: T } | undefined;
  let steps = 0;
  fc.check(
    fc.property(arbitrary, (value) => {
      original ??= { value };
      visit(value, original.value);
      steps += 1;
      return steps > 1 && steps % 3 === 0;
    }),
    { seed, numRuns: 1 },
  );
  return steps - 1;
}

describe.each(SUBJECTS)('random values of $name', ({ schema, options }) => {
  const refusalsOf = oracle(schema);

  test('valid ones are accepted, before and after serialization, and stay small', () => {
    for (const value of sampled(validArbitrary(schema, options), SEED, EACH)) {
      const again = serialized(value);
      expect(again).toEqual(value);
      if (refusalsOf(value).length > 0 || refusalsOf(again).length > 0)
        expect.fail(`refused: ${JSON.stringify(value)}`);
      if (sizeOf(value) >= BODY_LIMIT) expect.fail(`too large: ${sizeOf(value)} bytes`);
    }
  });

  test('invalid ones are refused for the named breach alone, before and after serialization', () => {
    for (const { value, breach } of sampled(invalidArbitrary(schema, options), SEED, EACH)) {
      for (const form of [value, serialized(value)]) {
        const wrong = misnamed(refusalsOf(form), breach.pointer, breach.keyword);
        if (wrong.length > 0) expect.fail(`${breach.label}: ${JSON.stringify(form)}: ${JSON.stringify(wrong)}`);
      }
    }
  });

  test('valid ones shrink to valid ones', () => {
    let steps = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      steps += shrinksOf(validArbitrary(schema, options), seed, (value) => expect(refusalsOf(value)).toEqual([]));
    }
    expect(steps).toBeGreaterThan(0);
  });

  test('a breach keeps its pointer and kind while it shrinks', () => {
    let steps = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      steps += shrinksOf(invalidArbitrary(schema, options), seed, ({ value, breach }, original) => {
        expect(breach).toEqual(original.breach);
        expect(misnamed(refusalsOf(value), breach.pointer, breach.keyword)).toEqual([]);
      });
    }
    expect(steps).toBeGreaterThan(0);
  });

  test('the same seed gives the same bytes and another seed gives others', () => {
    const bytes = (seed: number) =>
      JSON.stringify([
        sampled(validArbitrary(schema, options), seed, 50),
        sampled(invalidArbitrary(schema, options), seed, 50),
      ]);
    expect(bytes(3)).toBe(bytes(3));
    expect(bytes(3)).not.toBe(bytes(4));
  });
});

describe('random values', () => {
  test('stay under the limit even where a schema has a hundred strings', () => {
    const names = Array.from({ length: 100 }, (_, index) => `m${index}`);
    const schema = { type: 'object', required: names, properties: Object.fromEntries(names.map((n) => [n, TEXT])) };
    const largest = (arbitrary: fc.Arbitrary<JsonValue>) => Math.max(...sampled(arbitrary, SEED, 200).map(sizeOf));
    expect(largest(validArbitrary(schema))).toBeLessThan(BODY_LIMIT);
    expect(largest(invalidArbitrary(schema).map(({ value }) => value))).toBeLessThan(BODY_LIMIT);
  });

  test('have no lone surrogate and no negative zero, in values and in names', () => {
    const schema = {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'number' } },
    };
    const texts = { type: 'object', additionalProperties: TEXT };
    const seen = [schema, texts].flatMap((each) => sampled(validArbitrary(each), SEED, 1000));
    JSON.stringify(seen, (name, value: unknown) => {
      expect(`${name}${typeof value === 'string' ? value : ''}`).not.toMatch(/\p{Surrogate}/u);
      expect(Object.is(value, -0)).toBe(false);
      return value;
    });
  });

  test('have no pair with the name of a fixed member', () => {
    const names = sampled(freeNames({ fixed: { '/constructor': 1 } }), SEED, 1000);
    expect(names).toContain('__proto__');
    expect(names).not.toContain('constructor');
  });
});

describe('random create bodies', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const numbers = Object.values(CALL_OPTIONS.fixed);
  const allowed = ['null', 'true', 'false', '{}', '[]', ...numbers.flatMap((n) => [`"${n}"`, `["${n}"]`, n.slice(1)])];

  test('valid ones hold the fixed numbers and ids of the pools', () => {
    const seen = new Set<unknown>();
    for (const value of sampled(validArbitrary(schema, CALL_OPTIONS), SEED, 2000)) {
      const body = value as { [name: string]: JsonValue };
      expect([body['from'], body['to']]).toEqual(numbers);
      seen.add(body['application_id']);
    }
    expect(seen).toEqual(new Set([undefined, null, ...CALL_OPTIONS.pool['/application_id']]));
  });

  test('invalid ones hold nothing dangerous in from and to, and no made-up id', () => {
    const kinds = new Set<string>();
    for (const { value, breach } of sampled(invalidArbitrary(schema, CALL_OPTIONS), SEED, 4000)) {
      kinds.add(`${breach.pointer} ${breach.kind}`);
      const body = (breach.pointer === '' ? {} : value) as { [name: string]: JsonValue };
      for (const held of [body['from'], body['to']]) {
        if (held !== undefined) expect(allowed).toContain(JSON.stringify(held));
      }
      const uuids = JSON.stringify(body).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
      const known: readonly string[] = Object.values(CALL_OPTIONS.pool).flat();
      expect(uuids.filter((id) => !known.includes(id))).toEqual([]);
    }
    expect(kinds.size).toBeGreaterThan(60);
  });

  test('a caller chooses among the breaches', () => {
    const arbitrary = invalidArbitrary(schema, { ...CALL_OPTIONS, where: ({ leniency }) => leniency === 'null' });
    const breaches = sampled(arbitrary, SEED, 200).map(({ breach }) => breach);
    expect(new Set(breaches.map(({ pointer }) => pointer)).size).toBe(7);
    expect(breaches.every(({ kind }) => kind === 'null')).toBe(true);
    expect(() => invalidArbitrary(schema, { where: () => false })).toThrow('there is nothing to break');
  });
});
