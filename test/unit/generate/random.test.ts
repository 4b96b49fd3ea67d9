import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import type { JsonValue } from '../../../src/generate/json.ts';
import { freeNames, invalidArbitrary, validArbitrary } from '../../../src/generate/random.ts';
import { sampled } from '../../selftest/seeded.ts';
import { expectRandomValues } from './laws.ts';
import { misnamed, oracle } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

// test/long draws 100,000.
const EACH = 100;
const SEED = 20_260;
const TEXT: JsonSchema = { type: 'string' };

/** Visits the values that an arbitrary shrinks to; every third one counts as suspicious. */
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
  const rejectionsOf = oracle(schema);

  test('valid ones are accepted and small, invalid ones are rejected for the named violation alone', () => {
    expectRandomValues({ schema, options }, SEED, EACH);
  });

  test('valid ones shrink to valid ones', () => {
    let steps = 0;
    for (let seed = 1; seed <= 5; seed += 1) {
      steps += shrinksOf(validArbitrary(schema, options), seed, (value) => expect(rejectionsOf(value)).toEqual([]));
    }
    expect(steps).toBeGreaterThan(0);
  });

  test('a violation keeps its pointer and kind while it shrinks', () => {
    let steps = 0;
    for (let seed = 1; seed <= 5; seed += 1) {
      steps += shrinksOf(invalidArbitrary(schema, options), seed, ({ value, violation }, original) => {
        expect(violation).toEqual(original.violation);
        expect(misnamed(rejectionsOf(value), violation.pointer, violation.keyword)).toEqual([]);
      });
    }
    expect(steps).toBeGreaterThan(0);
  });

  test('the same seed gives the same bytes and another seed gives others', () => {
    const bytes = (seed: number) =>
      JSON.stringify([
        sampled(validArbitrary(schema, options), seed, 20),
        sampled(invalidArbitrary(schema, options), seed, 20),
      ]);
    expect(bytes(3)).toBe(bytes(3));
    expect(bytes(3)).not.toBe(bytes(4));
  });
});

describe('random values', () => {
  test('have no lone surrogate and no negative zero, in values and in names', () => {
    const map = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
    const schema: JsonSchema = { type: 'object', properties: { texts: map(TEXT), integers: map({ type: 'integer' }) } };
    const invalid = sampled(invalidArbitrary(schema), SEED, 300);
    const seen = [sampled(validArbitrary(schema), SEED, 300), invalid.map(({ value }) => value)];
    JSON.stringify(seen, (name, value: unknown) => {
      expect(`${name}${typeof value === 'string' ? value : ''}`).not.toMatch(/\p{Surrogate}/u);
      expect(Object.is(value, -0)).toBe(false);
      return value;
    });
  });

  test('never give a pair the name of a fixed member', () => {
    const names = sampled(freeNames({ fixed: { '/constructor': 'a' } }), SEED, 1000);
    expect(names).toContain('__proto__');
    expect(names).not.toContain('constructor');
  });
});

describe('random create bodies', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const numbers = Object.values(CALL_OPTIONS.fixed);
  const allowed = ['null', 'true', 'false', '{}', '[]', ...numbers.flatMap((n) => [`"${n}"`, `["${n}"]`, n.slice(1)])];

  test('valid ones hold the fixed numbers and ids from the pools', () => {
    const seen = new Set<unknown>();
    for (const value of sampled(validArbitrary(schema, CALL_OPTIONS), SEED, 400)) {
      const body = value as { [name: string]: JsonValue };
      expect([body['from'], body['to']]).toEqual(numbers);
      seen.add(body['application_id']);
    }
    expect(seen).toEqual(new Set([undefined, null, ...CALL_OPTIONS.pool['/application_id']]));
  });

  test('invalid ones hold nothing dangerous in from and to, and no invented id', () => {
    const kinds = new Set<string>();
    for (const { value, violation } of sampled(invalidArbitrary(schema, CALL_OPTIONS), SEED, 1_000)) {
      kinds.add(`${violation.pointer} ${violation.kind}`);
      const body = (violation.pointer === '' ? {} : value) as { [name: string]: JsonValue };
      for (const held of [body['from'], body['to']]) {
        if (held !== undefined) expect(allowed).toContain(JSON.stringify(held));
      }
      const uuids = JSON.stringify(body).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
      const known: readonly string[] = Object.values(CALL_OPTIONS.pool).flat();
      expect(uuids.filter((id) => !known.includes(id))).toEqual([]);
    }
    expect(kinds.size).toBeGreaterThan(60);
  });

  test('a caller chooses among the violations', () => {
    const arbitrary = invalidArbitrary(schema, { ...CALL_OPTIONS, where: ({ tolerated }) => tolerated === 'null' });
    const violations = sampled(arbitrary, SEED, 200).map(({ violation }) => violation);
    expect(new Set(violations.map(({ pointer }) => pointer)).size).toBe(7);
    expect(violations.every(({ kind }) => kind === 'null')).toBe(true);
    expect(() => invalidArbitrary(schema, { where: () => false })).toThrow(
      'the schema has no violation to choose from',
    );
  });
});
