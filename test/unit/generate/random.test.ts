import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import type { JsonValue } from '../../../src/generate/json.ts';
import { freeNames, validArbitrary } from '../../../src/generate/random.ts';
import { sampled } from '../../selftest/seeded.ts';
import { expectRandomValues } from './laws.ts';
import { oracle } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

// test/long draws 100,000.
const EACH = 100;
const SEED = 20_260;
const TEXT: JsonSchema = { type: 'string' };

/** Visits the values that an arbitrary shrinks to; every third one counts as suspicious. */
function shrinksOf<T>(arbitrary: fc.Arbitrary<T>, seed: number, visit: (shrunk: T) => void): number {
  let steps = 0;
  fc.check(
    fc.property(arbitrary, (value) => {
      visit(value);
      steps += 1;
      return steps > 1 && steps % 3 === 0;
    }),
    { seed, numRuns: 1 },
  );
  return steps - 1;
}

describe.each(SUBJECTS)('random values of $name', ({ schema, options }) => {
  const rejectionsOf = oracle(schema);

  test('valid ones are accepted and small, and with a violation rejected for that alone', () => {
    expectRandomValues({ schema, options }, SEED, EACH);
  });

  test('valid ones shrink to valid ones', () => {
    let steps = 0;
    for (let seed = 1; seed <= 5; seed += 1) {
      steps += shrinksOf(validArbitrary(schema, options), seed, (value) => expect(rejectionsOf(value)).toEqual([]));
    }
    expect(steps).toBeGreaterThan(0);
  });
});

describe('random values', () => {
  test('have no lone surrogate and no negative zero, in values and in names', () => {
    const map = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
    const schema: JsonSchema = { type: 'object', properties: { texts: map(TEXT), integers: map({ type: 'integer' }) } };
    JSON.stringify(sampled(validArbitrary(schema), SEED, 300), (name, value: unknown) => {
      expect(`${name}${typeof value === 'string' ? value : ''}`).not.toMatch(/\p{Surrogate}/u);
      expect(Object.is(value, -0)).toBe(false);
      return value;
    });
  });

  test('never give a pair the name of a fixed member, in any letter case', () => {
    const names = sampled(freeNames({ fixed: { '/Constructor': 'a' } }), SEED, 1000);
    expect(names).toContain('__proto__');
    expect(names).not.toContain('constructor');
  });
});

describe('random create bodies', () => {
  const schema = BODY_SCHEMAS['call-create'];
  const numbers = Object.values(CALL_OPTIONS.fixed);

  test('valid ones hold the fixed numbers and ids from the pools', () => {
    const seen = new Set<unknown>();
    for (const value of sampled(validArbitrary(schema, CALL_OPTIONS), SEED, 400)) {
      const body = value as { [name: string]: JsonValue };
      expect([body['from'], body['to']]).toEqual(numbers);
      seen.add(body['application_id']);
    }
    expect(seen).toEqual(new Set([undefined, null, ...CALL_OPTIONS.pool['/application_id']]));
  });
});
