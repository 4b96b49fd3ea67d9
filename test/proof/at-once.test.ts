/** What goes out together: races and pools are found, and a target that takes one connection at a time is not accused. */

import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/faults/index.ts';
import { delaying, narrow } from '../../fixtures/gateways/gateways.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn, judged } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';
import { judgeBehind } from './gateways.ts';

test('what goes out beside a valid request does so at a rate that spaces other requests out', async () => {
  const { service, settings } = createReference();
  const fault = FAULTS.find(({ name }) => name === 'unguarded-under-load');
  const only = ['AUTH-CREDENTIAL-REQUIRED'];
  const options = optionsFrom(settings, { profile: 'read-only', explore: 0, only, rate: 100 });
  // In real time: a clock that skips waits lets everything go out at once.
  const wait = async (milliseconds: number): Promise<void> => setTimeout(milliseconds);
  const clock = { now: () => performance.now(), sleep: wait, rest: wait };
  const { results } = await judge(fault?.inject(service, settings) ?? service, options, clock);
  expect(brokenIn(results)).toEqual(only);
});

test('requests at once that --rate does not allow in a second are not sent, and the verdict says so', async () => {
  const { service, settings } = createReference();
  const { record, results } = await judge(service, optionsFrom(settings, { rate: 4 }), skippingClock());
  const { planned, answered } = results.questions;
  expect([results.sentence, results.colour, planned > answered]).toEqual([
    'CONFORMANT but for simultaneous requests (--rate 4) (profile full)',
    'olive',
    true,
  ]);
  const unanswered = results.requirements.flatMap(({ cases }) => cases.flatMap(({ unanswered = [] }) => unanswered));
  expect(unanswered).toHaveLength(planned - answered);
  expect(unanswered.find(({ question }) => question.endsWith('6 at once'))).toMatchObject({
    reason: '6 requests at once are more than --rate allows in a second',
    remedy: 'omit --rate',
  });
  expect(results.conditions.filter((condition) => condition.startsWith('left out'))).toEqual([
    expect.stringMatching(/^left out because of that rate: listNumbers\/6 reads at once, listTrunks\/6 reads at once$/),
  ]);
  await comesOutTheSameToo(record);
});

test.each([
  ['answers-race', 'on the ringing call, where no call can be placed', { scope: 'no-call-creation' }],
  ['hang-ups-race', 'on the ringing call, where no call can be placed', { scope: 'no-call-creation' }],
  ['trunk-lock-page', 'on a trunk that no read shows', { 'success-shape': 'empty' }],
])('%s is found %s', async (name, _, choices) => {
  const { results } = await judged(
    choices,
    {},
    FAULTS.find((fault) => fault.name === name),
  );
  expect(brokenIn(results)).toContain('NO-SERVER-ERROR');
});

test('behind a gateway that takes one request at a time, independent requests go out one by one after the first', async () => {
  const { record, results } = await judgeBehind({ gateways: [delaying(5, 25), narrow(1, 429)] });
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
  const limited = record.exchanges.filter(({ response }) => response?.status === 429);
  const ofMoments = limited.filter(({ tag }) => tag.asks.some(({ variation }) => variation.endsWith('at once')));
  expect(limited.length - ofMoments.length).toBeLessThan(8);
});
