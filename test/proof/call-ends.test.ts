/** The calls that a run names as open are those that are open, whatever becomes of their hang-ups: the service knows. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { CALL_ENDS, type CallEnd, endingCalls, type PlacedCall } from '../../fixtures/variants/call-ends.ts';
import { callsSentence } from '../../src/report/model.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

/** What a service gives for a call that has ended. */
const WORDS = [409, 404, 200] as const;
type Word = (typeof WORDS)[number];

const CREATING = narrowed('CALL-CREATE-IDS', 'CALL-CREATE-PRIVACY', 'ORG-CALL', 'ACTION-WITHOUT-BODY');

async function runWith(endOf: (call: PlacedCall) => CallEnd, word: Word = 409, scope: object = CREATING) {
  const clock = skippingClock();
  const reference = createReference({ policy: { endedHangUp: word }, now: clock.now, wait: clock.sleep });
  const { service, open, mostOpen } = endingCalls(reference, endOf, clock.now);
  const { record, results } = await judge(service, optionsFrom(reference.settings, scope), clock);
  await comesOutTheSameToo(record);
  const named = record.possiblyOpen.map((sentence) => /^call (\S+) \(request/.exec(sentence)?.[1] ?? sentence);
  const waited = (record.waits ?? []).reduce((sum, { seconds }) => sum + seconds, 0);
  return { record, results, reference, open: open(), named, mostOpen: mostOpen(), waited };
}

const drawn = fc.record({
  word: fc.constantFrom(...WORDS),
  ends: fc.array(fc.constantFrom(...CALL_ENDS), { minLength: 12, maxLength: 12 }),
});

/** Where ended calls get 404 as well, no client can tell the two apart. */
const isTellable = (word: Word, end: CallEnd): boolean => word !== 404 || end !== 'not found';

const DRAWN = sampled(fc.sample(drawn, { seed: 7, numRuns: 200 }), 67);

test.each(DRAWN.items)(
  `what is named is what is open, where an ended call gets $word and hang-ups come to $ends (${DRAWN.words})`,
  async ({ word, ends }) => {
    // Some call of a run is hung up in the usual way.
    const endOf = ({ nth }: PlacedCall): CallEnd => {
      const end = ends[nth - 1] ?? 'plain';
      return isTellable(word, end) ? end : 'plain';
    };
    const { open, named, results } = await runWith(endOf, word);
    expect([...named].sort()).toEqual([...open].sort());
    expect(results.verdict === 'conformant').toBe(open.length === 0);
  },
);

test.each([
  ['of calls with a trunk', ({ members }: PlacedCall) => typeof members['trunk_id'] === 'string'],
  ['of calls of another organization', ({ members }: PlacedCall) => members['from'] === OTHERS],
])('where the hang-ups %s get 404 and an ended call gets 409, the call is open: one, named', async (_, when) => {
  const { open, named, results } = await runWith((call) => (when(call) ? 'not found' : 'plain'), 409, {});
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
  const { open, named, mostOpen, results, waited } = await runWith(() => 'late', 409, {});
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
