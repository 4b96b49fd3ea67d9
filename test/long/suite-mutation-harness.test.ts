/** The harness of the suite's mutants can fail: what records or tests notice, and what they do not, are told apart. */

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mutant, Mutants } from '../mutation/instrument.ts';
import { called, fatesOf } from '../mutation/judge-suite.ts';
import { noticedBy } from '../mutation/judge-units.ts';
import { instrumentSuite } from '../mutation/suite-copy.ts';
import {
  type FatedMutant,
  type SuiteSurvivors,
  suiteDifferences,
  suiteSurvivorsOf,
} from '../mutation/suite-survivors.ts';

const NEVER_ACCEPTED = 'accepted ConditionalExpression: if (⟦isAccepted(exchange) → false⟧)';
const OTHER_WORDS = 'noSibling ConditionalExpression: if (⟦!evidence.hasAcceptedControl(operation) → true⟧)';
const ON_LOADING = 'ABOUT_THE_BODY ArrayDeclaration: const ABOUT_THE_BODY =⟦';
const ANY_METHOD = 'writeGuard ConditionalExpression: if (⟦!WRITE_METHODS.has(method) → false⟧)';
const NO_METHOD = 'WRITE_METHODS ArrayDeclaration: export const WRITE_METHODS = new Set(⟦';
const NEVER_CLAIMED = 'writeGuard ConditionalExpression: if (⟦blocked === null → false⟧)';

const FILES = ['suites/expect/bodies.js', 'src/client/safety/write-guard.js'];
const TESTS = ['test/unit/client/write-guard.test.ts'];

let copy: Mutants;

const picked = (...parts: readonly string[]): readonly Mutant[] =>
  parts.flatMap((part) => copy.mutants.filter(({ key }) => key.includes(part)));

beforeAll(async () => {
  copy = await instrumentSuite(FILES);
});

afterAll(() => rmSync(copy.folder, { recursive: true }));

test('the record of the reference service notices a broken expectation, and not every mutant', async () => {
  const mutants = picked(NEVER_ACCEPTED, OTHER_WORDS);
  const fates = await fatesOf(copy, mutants, 1);
  expect(mutants.map(({ id }) => fates.get(id))).toEqual(['caught', 'not reached']);
  expect(await called(copy, [...mutants, ...picked(ON_LOADING)])).toEqual(mutants);
});

test('a unit test notices a broken guard, called or loaded, and not every mutant', async () => {
  const mutants = picked(ANY_METHOD, NO_METHOD, NEVER_CLAIMED);
  const noticed = await noticedBy(copy, mutants, TESTS);
  expect(mutants.map(({ id }) => noticed.get(id)?.by === null)).toEqual([false, false, true]);
});

describe('a list', () => {
  const one = (fate: FatedMutant['fate'], key = 'a.js f: x'): FatedMutant => ({ id: key, key, place: 'a.js f', fate });
  const fated = [one('caught', 'a.js f: y'), one('same'), one('says', 'a.js f: z'), one('says', 'a.js f: zz')];
  const whole: SuiteSurvivors = {
    class: 'equivalent',
    reason: 'made',
    mutants: ['same: a.js f: x', 'says: a.js f: 2'],
  };

  test('names each survivor, and counts those that only change words', () => {
    expect(suiteSurvivorsOf(fated)).toEqual(whole.mutants);
    expect(suiteDifferences(fated, [whole])).toEqual([]);
  });

  test('without a survivor, with one that is caught, or with one twice, is not true', () => {
    expect(suiteDifferences(fated, [{ ...whole, mutants: ['says: a.js f: 2'] }])).toEqual([
      'new survivor, same: a.js f: x',
    ]);
    const stale = [whole, { ...whole, mutants: ['same: a.js f: y', 'says: a.js f: 2'] }];
    expect(suiteDifferences(fated, stale)).toEqual([
      'listed and no survivor, same: a.js f: y',
      'listed twice, says: a.js f: 2',
    ]);
  });
});
