/** Calls whose hang-ups come to something else than an end: what is named, counted and waited for. */

import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { type CallEnd, endingCalls, type PlacedCall } from '../../fixtures/variants/call-ends.ts';
import { RULES } from '../../fixtures/variants/rules.ts';
import { callsSentence } from '../../src/report/model.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

async function runWith(endOf: (call: PlacedCall) => CallEnd) {
  const clock = skippingClock();
  const reference = createReference({ now: clock.now, wait: clock.sleep });
  const { service, open, mostOpen } = endingCalls(reference, endOf, clock.now);
  const { record, results } = await judge(service, optionsFrom(reference.settings), clock);
  await comesOutTheSameToo(record);
  const named = record.possiblyOpen.map((sentence) => /^call (\S+) \(request/.exec(sentence)?.[1] ?? sentence);
  const waited = (record.waits ?? []).reduce((sum, { seconds }) => sum + seconds, 0);
  return { results, open: open(), named, mostOpen: mostOpen(), waited };
}

test.each([0, 5_000])(
  'where one call at a time is allowed, the ringing call ends first, %i ms after its hang-up',
  async (late) => {
    const clock = skippingClock();
    const rules = RULES.filter(({ name }) => name === 'one call at a time (409, before-types)');
    const reference = createReference({ now: clock.now, wait: clock.sleep, policy: { rules } });
    const { PCS_RINGING_CALL_ID: ringing } = reference.settings;
    let due: number | undefined;
    const service: Service = async (request) => {
      if (request.target !== `/v1/calls/${ringing}/hangup`) return reference.service(request);
      due ??= clock.now() + late;
      return due > clock.now() ? json(202, {}) : reference.service(request);
    };
    const { results } = await judge(service, optionsFrom(reference.settings), clock);
    expect(results.verdict).toBe('conformant');
  },
);

test.each([
  ['of calls with a trunk', ({ members }: PlacedCall) => typeof members['trunk_id'] === 'string'],
  ['of calls of another organization', ({ members }: PlacedCall) => members['from'] === OTHERS],
])('where the hang-ups %s get 404 and an ended call gets 409, the call is open: one, named', async (_, when) => {
  const { open, named, results } = await runWith((call) => (when(call) ? 'not found' : 'plain'));
  expect([open.length, named, results.verdict]).toEqual([1, open, 'incomplete']);
  const reasons = casesOf(results).map(({ reason }) => reason);
  expect(reasons).toContain('a call could not be hung up, so no more calls are placed');
});

test('where the second organization cannot hang up its call, and everybody those of ours, both are named', async () => {
  const clock = skippingClock();
  const reference = createReference({ now: clock.now, wait: clock.sleep });
  const open = planted(FAULTS.find(({ name }) => name === 'anonymous-hang-up-of-an-open-call') as Fault, reference);
  const endOf = ({ members }: PlacedCall): CallEnd => (members['from'] === OTHERS ? 'not found' : 'plain');
  const { service, open: left } = endingCalls({ ...reference, service: open.service }, endOf, clock.now);
  const { record, results } = await judge(service, optionsFrom(reference.settings), clock);
  expect([record.possiblyOpen.length, left().length]).toEqual([1, 1]);
  const cases = casesOf(results);
  const failing = cases.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failing).toEqual(['AUTH-CREDENTIAL-REQUIRED/hangUpCall']);
  // What could only be asked with a further call says so, and nothing else is open.
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['ORG-CALL/createCall', 'AUTH-CALL-UNCHANGED/hangUpCall']),
  );
  expect(new Set(undecided.map(({ reason, remedy }) => `${reason}; ${remedy}`))).toEqual(
    new Set([
      `a call could not be hung up, so no more calls are placed; run again once the target hangs up each call that it places`,
    ]),
  );
  expect(undecided.length).toBeLessThan(14);
});

const { PCS_OTHER_ORG_CALL_FROM: OTHERS } = createReference().settings;

test('where each hang-up is 202 and done 5 s later, one call rings at a time', async () => {
  const { open, named, mostOpen, results, waited } = await runWith(() => 'late');
  expect([open, named, mostOpen, results.verdict]).toEqual([[], [], 1, 'conformant']);
  expect(waited).toBeLessThan(13 * 7);
});

const LOST = sampled(
  [
    ['hang-ups-lost', 'RESPONSE-COMPLETE'],
    ['hang-ups-lost-in-a-gateway', 'NO-SERVER-ERROR'],
    ['hang-ups-as-204-with-a-body', 'RESPONSE-COMPLETE'],
  ],
  3,
);

test.each(LOST.items)(
  `where each hang-up takes effect and is lost (%s), that is the finding, no call is named, and the end waits once (${LOST.words})`,
  async (name, broken) => {
    const clock = skippingClock();
    const reference = createReference({ now: clock.now, wait: clock.sleep });
    const { service } = planted(FAULTS.find((fault) => fault.name === name) as Fault, reference);
    const { record, results } = await judge(service, optionsFrom(reference.settings), clock);
    const failing = casesOf(results).filter(({ verdict }) => verdict === 'fail');
    expect(failing.map(({ id }) => id)).toContain(`${broken}/hangUpCall`);
    expect([record.possiblyOpen, reference.inspect().callsOpen]).toEqual([[], 0]);
    expect((record.waits ?? []).reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(45);
  },
);

test.each([
  ['each create call takes 35 s', () => 'hang' as const, 2, '2 calls, both may be open'],
  [
    'every other answer to create call is lost',
    (nth: number) => (nth % 2 === 0 ? 'reset' : null),
    4,
    ', 4 may be open',
  ],
] as const)('where %s, what may ring is counted and named', async (_, fateOf, most, said) => {
  const { service, settings, inspect } = createReference();
  let nth = 0;
  const losing: Service = async (request) => {
    const reply = await service(request);
    nth += reply.status === 201 ? 1 : 0;
    const fate = reply.status === 201 ? fateOf(nth) : null;
    return fate === null ? reply : { ...reply, fate };
  };
  const { record, results } = await judge(losing, optionsFrom(settings), skippingClock());
  await comesOutTheSameToo(record);
  expect([record.possiblyOpen.length, inspect().callsOpen]).toEqual([most, most]);
  expect(callsSentence(results)).toContain(said);
  expect([results.counts.calls, results.verdict]).toEqual([
    inspect().callsAccepted,
    expect.not.stringMatching(/^conf/),
  ]);
});
