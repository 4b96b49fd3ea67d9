/** A filter narrows what is judged, never what protects the target: whatever is selected, everything is as it was. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { OPERATION_IDS } from '../../src/contract/operations.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const CASES = REQUIREMENTS.flatMap(({ id, operations }) => operations.map((operation) => `${id}/${operation}`));

/** Numbers from 0 to 1, the same in each run (the generator of Park and Miller). */
function drawnFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Up to six cases, and up to three operations that are left out. */
function drawnSelection(number: number): Partial<RunOptions> {
  const draw = drawnFrom(number + 1);
  const pick = <Item>(items: readonly Item[], most: number): readonly Item[] =>
    Array.from({ length: Math.ceil(draw() * most) }, () => items[Math.floor(draw() * items.length)] as Item);
  const without = number % 2 === 0 ? [] : pick(OPERATION_IDS, 3);
  const possible = CASES.filter((name) => !without.some((id) => name.endsWith(`/${id}`)));
  return { without, only: [...new Set(pick(possible, 6))] };
}

/** Which records of the service differ after the run, and what the run says is still changed. */
async function changedBy(options: Partial<RunOptions>) {
  const { service, settings, inspect } = createReference();
  const before = inspect().restorable;
  const { results } = await judge(service, optionsFrom(settings, options));
  const after = inspect().restorable;
  const ids = Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  return { ids, changed: results.changed };
}

const NOTHING = { ids: [], changed: [] };

describe('the service is as it was', () => {
  const requirements = sampled(REQUIREMENTS, 12);

  test.each(requirements.items)(`after --only $id (${requirements.words})`, async ({ id }) => {
    expect(await changedBy({ only: [id] })).toEqual(NOTHING);
  });

  const cases = sampled(CASES, 40);

  test.each(cases.items)(`after --only %s (${cases.words})`, async (name) => {
    expect(await changedBy({ only: [name] })).toEqual(NOTHING);
  });

  test.each([
    'AUTH-REVOKED',
    'AUTH-SCHEME/updateTrunk',
    'AUTH-SCHEME/updateVoiceApplication',
    'AUTH-SCHEME/assignNumber',
    'NO-SERVER-ERROR/updateTrunk',
  ])('after --only %s', async (name) => {
    expect(await changedBy({ only: [name] })).toEqual(NOTHING);
  });

  const selections = sampled(
    Array.from({ length: 30 }, (_, number) => drawnSelection(number)),
    6,
  );

  test.each(selections.items)(`after --only $only --without $without (${selections.words})`, async (options) => {
    expect(await changedBy(options)).toEqual(NOTHING);
  });

  test.each([
    ['one walk alone', { path: '0', explore: 300 }],
    ['the reads left out', { without: ['getTrunk', 'listTrunks', 'listNumbers'] }],
  ] as const)('after %s', async (_, options) => {
    expect(await changedBy(options)).toEqual(NOTHING);
  });
});
