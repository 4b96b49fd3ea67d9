/** Targets that lock out a sender of invalid credentials for a while are waited for, and judged to the end. */

import { expect, test } from 'vitest';
import { lockingOut, replicating } from '../../fixtures/gateways/gateways.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { questionsSentence } from '../../src/verdict/sentence.ts';
import { allAnswered } from '../planned.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';
import { judgeBehind } from './gateways.ts';

const ASKED = narrowed('AUTH-SECRET', 'AUTH-SCHEME', 'SUCCESS-STATUS', 'CALL-CREATE-IDS', 'CALL-CREATE-NULLABLE');
const CONFORMANT = ['conformant', allAnswered(optionsFrom(createReference().settings, ASKED))];

/** Whether a resend met a lock-out: each ends with one. */
const isPutOff = (status: number | undefined): boolean => status === 403 || status === 429;

test.each([
  ['a pause between invalid credentials', { credentialPause: 10_000 }, 0],
  ['no pause', {}, 2],
])('with %s every question is answered', async (_, changes, least) => {
  const gateways = [lockingOut(10, 60_000, 429, 'seconds')];
  const { record, results } = await judgeBehind({ gateways, changes: { ...ASKED, maxWait: 86_400_000, ...changes } });
  expect([results.verdict, questionsSentence(results.questions)]).toEqual(CONFORMANT);
  const lockedOut = record.exchanges.filter(({ response }) => isPutOff(response?.status));
  expect(least === 0 ? lockedOut.length === 0 : lockedOut.length > least).toBe(true);
  await comesOutTheSameToo(record);
});

test('what was rejected during lock-outs is not asked again without a minute left, so the run comes to its end', async () => {
  const gateways = [replicating(1_949), lockingOut(40, 36_000, 403, 'seconds')];
  const { record, changedIds } = await judgeBehind({ gateways });
  expect([record.endedEarly, record.changed, changedIds]).toEqual([null, [], []]);
});

test.each([3, 4])('a lock-out that begins with call %i is waited for, and the call is hung up', async (first) => {
  const clock = skippingClock();
  const { service, settings, inspect } = createReference();
  let [invalid, placed, until] = [0, 0, 0];
  const guarded: Service = async (request) => {
    if (clock.now() < until) return service({ ...request, headers: {} });
    const reply = await service(request);
    if (reply.status === 401) invalid += 1;
    if (reply.status === 201) placed += 1;
    if (placed === first && until === 0 && invalid > 2) until = clock.now() + 20_000;
    return reply;
  };
  const { results, record } = await judge(guarded, optionsFrom(settings, ASKED), clock);
  expect([results.verdict, results.waits?.map(({ reason }) => reason)]).toEqual([
    'conformant',
    expect.arrayContaining(['lock-out']),
  ]);
  expect([until > 0, inspect().callsOpen, record.possiblyOpen]).toEqual([true, 0, []]);
});

test('a single 401 between accepted requests is told as flaky', async () => {
  const clock = skippingClock();
  const { service, settings } = createReference();
  let [invalid, accepted] = [0, 0];
  const forgetful: Service = async (request) => {
    const reply = await service(request);
    if (reply.status === 401) [invalid, accepted] = [invalid + 1, accepted > 6 ? accepted : 0];
    if (invalid > 2 && request.method === 'GET' && reply.status === 200) accepted += 1;
    return accepted === 6 ? service({ ...request, headers: {} }).finally(() => (accepted = 7)) : reply;
  };
  const { results, record } = await judge(forgetful, optionsFrom(settings, ASKED), clock);
  expect([results.verdict, results.intermittent.map(({ symptom }) => symptom)]).toEqual(['conformant', ['status 401']]);
  await comesOutTheSameToo(record);
});

test('a 403 for missing rights is not taken for a lock-out after a 415 to the same body', async () => {
  const clock = skippingClock();
  const choices = { scope: 'no-trunk-update', 'refusal-order': 'after-body' };
  const { service, settings } = createVariant(choices, { wait: clock.sleep, now: clock.now });
  const { record } = await judge(
    service,
    optionsFrom(settings, narrowed('SUCCESS-STATUS', 'CONTENT-TYPE-OTHER')),
    clock,
  );
  const updates = record.exchanges.filter(
    ({ tag, request }) => tag.operation === 'updateTrunk' && request.credential === 'valid',
  );
  expect(updates.map(({ response }) => response?.status)).toEqual(expect.arrayContaining([403, 415]));
  expect(updates.filter(({ tag }) => tag.resend > 0)).toEqual([]);
});
