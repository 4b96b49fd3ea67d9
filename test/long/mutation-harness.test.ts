/** The harness of the mutation tests can fail: a survivor, a caught mutant and an endless one are told apart. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instrumentService, type Mutant, type Mutants } from '../mutation/instrument.ts';
import { type JudgedMutant, judgeMutants } from '../mutation/judge-mutants.ts';
import { differences, survivorsOf } from '../mutation/survivors.ts';

const ANY_OWNER = 'return⟦record.organization === null || record.organization === organization → true⟧;';
const ALWAYS_OPEN = "return⟦call.status !== 'ended' → true⟧;";
const SURVIVOR = `store.js isOpen ConditionalExpression: ${ALWAYS_OPEN}`;
const ENDLESS: Mutant = { id: 'endless', key: 'endless', place: 'store.js' };

/** A loop that no switch of the instrumenter interrupts. */
function addEndless({ folder }: Mutants): void {
  const file = join(folder, 'store.js');
  const loop = 'stryCov_9fa48("endless"); while (globalThis.__stryker__.activeMutant === "endless");';
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace('function isOpen(call) {', (start) => `${start} ${loop}`),
  );
}

let all: Mutants;
let judged: readonly JudgedMutant[] = [];

beforeAll(async () => {
  all = await instrumentService(['store.js']);
  addEndless(all);
  const some = all.mutants.filter(({ key }) => key.endsWith(ANY_OWNER) || key.endsWith(ALWAYS_OPEN));
  ({ judged } = await judgeMutants(all, some));
});

afterAll(() => rmSync(all.folder, { recursive: true }));

test('the suite catches a service that any organization owns, and not one whose calls stay open', () => {
  expect(judged.map(({ outcome }) => outcome.broken.includes('ORG-ISOLATION'))).toEqual([true, false]);
  expect(survivorsOf(judged)).toEqual([`conformant: ${SURVIVOR}`]);
});

test('a mutant that never returns is ended, and needs no place in the list', async () => {
  const { judged: endless } = await judgeMutants(all, [ENDLESS], 200);
  expect(endless.map(({ outcome }) => outcome.verdict)).toEqual(['never returns']);
  expect(survivorsOf(endless)).toEqual([]);
});

describe('a list', () => {
  const lawful = { verdict: 'conformant', reason: 'lawful' } as const;

  test('that names each survivor once is true', () => {
    expect(differences(judged, [{ ...lawful, mutants: [SURVIVOR] }])).toEqual([]);
  });

  test('without a survivor is not', () => {
    expect(differences(judged, [])).toEqual([`new survivor, conformant: ${SURVIVOR}`]);
  });

  test('with a mutant that is caught or gone, or twice, is not', () => {
    const [stale = '', ...others] = differences(judged, [
      { ...lawful, mutants: [SURVIVOR, `store.js ownedBy ConditionalExpression: ${ANY_OWNER}`] },
      { ...lawful, mutants: [SURVIVOR] },
    ]);
    expect(stale).toMatch(/^listed and no survivor, conformant: store.js ownedBy/);
    expect(others).toEqual([`listed twice, conformant: ${SURVIVOR}`]);
  });

  test('with another number of mutants that no request reaches is not', () => {
    const outcome = { verdict: 'not reached', broken: [], open: [], responses: '' };
    const unreached = [{ ...ENDLESS, outcome }];
    const listed = { verdict: 'not reached', reason: 'a choice', mutants: ['store.js: 2'] } as const;
    expect(differences(unreached, [listed])).toHaveLength(2);
    expect(differences(unreached, [{ ...listed, mutants: ['store.js: 1'] }])).toEqual([]);
  });
});
