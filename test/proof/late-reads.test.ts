/** Where reads are two seconds behind, an effect of a rejected request shows later, so it is looked for later. */

import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import type { Gateway } from '../../fixtures/gateways/gateways.ts';
import { inLongAlone, sampled } from '../sampled.ts';
import { brokenIn } from '../selftest/judged.ts';
import { expectNamed } from './broken-by.ts';
import { judgeBehind } from './gateways.ts';
import { readsBehind } from './late-reads.ts';

const EFFECTS: readonly string[] = [
  'refused-change-happens',
  'change-with-a-wrong-secret-happens',
  'foreign-change-happens',
  'refused-change-clears-the-name',
  'rejected-name-stored',
];

const HERE = sampled(EFFECTS, 5);

test.each(HERE.items)(`%s shows (${HERE.words})`, async (name) => {
  const fault = FAULTS.find((one) => one.name === name);
  const { results } = await judgeBehind({
    gateways: [readsBehind(1_900)],
    within: (service, { settings }) => fault?.inject(service, settings) ?? service,
  });
  expectNamed(results, fault);
});

test('a lawful service is not accused, and what was restored is not said to be lost', async () => {
  const { record, results, accused } = await judgeBehind({ gateways: [readsBehind(1_900)] });
  const { verdict } = results;
  expect({ accused, verdict, changed: record.changed }).toEqual({ accused: [], verdict: 'conformant', changed: [] });
});

inLongAlone('a service that carries out an update later, after a 202, has its trunk back', async () => {
  const accepting: Gateway = () => (service) => async (request) => {
    const reply = await service(request);
    const isUpdate = request.method === 'PATCH' && request.target.startsWith('/v1/trunks/');
    return isUpdate && reply.status === 200 ? { status: 202, headers: [], body: null } : reply;
  };
  const { record, results } = await judgeBehind({ gateways: [readsBehind(150), accepting] });
  expect([results.verdict, record.changed]).toEqual(['conformant', []]);
});

inLongAlone('reads that never show a change prove nothing of a rejected one, and the verdict says so', async () => {
  const { results } = await judgeBehind({ gateways: [readsBehind(60_000)] });
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', ['UPDATE-VISIBLE']]);
  const open = results.requirements.flatMap(({ cases }) => cases).filter(({ verdict }) => verdict === 'not-exercised');
  expect(open.map(({ id }) => id)).toEqual(expect.arrayContaining(['AUTH-NO-EFFECT/updateTrunk']));
});
