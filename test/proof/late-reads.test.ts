/** Reads that lag behind are no lost change, and what they never show is not judged. */

import { expect, test } from 'vitest';
import type { Gateway } from '../../fixtures/gateways/gateways.ts';
import { inLongAlone } from '../sampled.ts';
import { brokenIn } from '../selftest/judged.ts';
import { judgeBehind } from './gateways.ts';
import { readsBehind } from './late-reads.ts';

inLongAlone('a service that carries out an update later, after a 202, has its trunk back', async () => {
  const accepting: Gateway = () => (service) => async (request) => {
    const reply = await service(request);
    const isUpdate = request.method === 'PATCH' && request.target.startsWith('/v1/trunks/');
    return isUpdate && reply.status === 200 ? { status: 202, headers: [], body: null } : reply;
  };
  const { results } = await judgeBehind({ gateways: [readsBehind(150), accepting] });
  expect([results.verdict, results.unrestored]).toEqual(['conformant', []]);
});

test('reads that never show a change prove nothing of a rejected one, and the verdict says so', async () => {
  const { results } = await judgeBehind({ gateways: [readsBehind(60_000)] });
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', ['UPDATE-VISIBLE']]);
  const open = results.requirements.flatMap(({ cases }) => cases).filter(({ verdict }) => verdict === 'not-exercised');
  expect(open.map(({ id }) => id)).toEqual(expect.arrayContaining(['AUTH-NO-EFFECT/updateTrunk']));
});
