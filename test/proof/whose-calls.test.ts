/**
 * Whose call it is: whole runs against a service that shows other ids beside that of a new call. The service itself says
 * which calls are open, and whether that of somebody else was hung up.
 */

import { expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import { durationOf } from '../../src/run/facts.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

/** A call of somebody else. */
const THEIRS = '6ba7b812-9dad-41d1-80b4-00c04fd430c8';

/** What places calls, and what can dial nothing. */
const CREATING = narrowed('CALL-CREATE-STATUS', 'CALL-CREATE-IDS', 'CALL-CREATE-PRIVACY', 'AUTH-CREDENTIAL-REQUIRED');

interface Changes {
  /** What an accepted create call is answered with. */
  readonly created?: (id: string, nth: number) => ServiceReply;
  /** What comes in place of the `nth` hang-up of a call, if anything does. */
  readonly hungUp?: (nth: number) => ServiceReply | undefined;
  /** What becomes of a rejection. */
  readonly rejected?: (reply: ServiceReply, nth: number) => ServiceReply;
  /** Every create call gets the first call again, and places none. */
  readonly isGivenAgain?: true;
}

async function runAgainst({ created, hungUp, rejected = (reply) => reply, isGivenAgain }: Changes, more: object = {}) {
  const { service, settings, inspect } = createReference();
  let [isTheirsOpen, errors] = [true, 0];
  const hangUps = new Map<string, number>();
  const changed: Service = async (request) => {
    const called = /^\/v1\/calls\/([^/]+)\/hangup\/?$/.exec(request.target)?.[1];
    const isOurs = inspect().calls.some(({ id, direction }) => id === called && direction === 'outbound');
    const isValid = request.headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`;
    if (called === THEIRS && isValid) {
      isTheirsOpen = false;
      return json(200, { success: true, data: {} });
    }
    if (called !== undefined && isOurs && isValid) {
      const nth = (hangUps.get(called) ?? 0) + 1;
      hangUps.set(called, nth);
      const instead = hungUp?.(nth);
      if (instead !== undefined) return instead;
    }
    const reply = await service(request);
    errors += reply.status >= 400 ? 1 : 0;
    if (reply.status >= 400 && reply.body) return rejected(reply, errors);
    if (request.method !== 'POST' || !/^\/v1\/calls\/?$/.test(request.target) || reply.status !== 201) return reply;
    const calls = inspect().calls.filter(({ direction }) => direction === 'outbound');
    if (isGivenAgain && calls.length > 1) {
      await service({ ...request, target: `/v1/calls/${calls.at(-1)?.id}/hangup`, body: Buffer.alloc(0) });
      return success({ id: calls[0]?.id });
    }
    return created?.(calls.at(-1)?.id ?? '', calls.length) ?? reply;
  };
  const { record, results } = await judge(changed, optionsFrom(settings, { maxCalls: 24, ...CREATING, ...more }));
  await comesOutTheSameToo(record);
  const calls = inspect().calls.filter(({ direction }) => direction === 'outbound');
  const open = calls.filter(({ status }) => status !== 'ended').map(({ id }) => id);
  const said = record.possiblyOpen.join('\n');
  return { record, results, isTheirsOpen, calls, open, said };
}

const success = (data: object): ServiceReply => json(201, { success: true, data });

test('a call of somebody else that was taken for ours is named once its id comes again, and ours is hung up', async () => {
  const created = (id: string): ServiceReply => json(201, { success: true, id: THEIRS, data: { call: { id } } });
  const { isTheirsOpen, open, said, results } = await runAgainst({ created });
  expect([isTheirsOpen, open, results.verdict]).toEqual([false, [], 'incomplete']);
  // The second answer tells, whatever its request was: it shows another id as well.
  expect(said).toMatch(new RegExp(`^call ${THEIRS} was hung up for .* another user's call may have been hung up$`));
});

test('where the second id of an answer is that of the call, it is tried first from the second call on', async () => {
  const requested = (nth: number): string => `6ba7b814-9dad-41d1-80b4-${String(nth).padStart(12, '0')}`;
  const created = (id: string, nth: number): ServiceReply =>
    json(201, { success: true, id: requested(nth), data: { id } });
  const { record, open, said, calls, results } = await runAgainst({ created });
  expect([calls.length > 4, open, said, results.verdict]).toEqual([true, [], '', 'conformant']);
  const paths = record.exchanges.map(({ request }) => request.path);
  expect(new Set(paths.filter((path) => path.includes('/6ba7b814')))).toEqual(
    new Set([`/v1/calls/${requested(1)}/hangup`]),
  );
  // The waits for the setup of the first call; with as many for each later one it had been 46.5 s.
  expect(durationOf(record.exchanges)).toBe(7_500);
});

test('where all ids are of an earlier call, that call was given again, whatever the body: nothing is unknown', async () => {
  const again = await runAgainst({ isGivenAgain: true });
  expect([again.open, again.said, again.results.verdict]).toEqual([[], '', 'conformant']);
  // The price of that: one wrong id, whose hang-ups are accepted, is believed each time. No answer tells the two apart.
  const wrong = await runAgainst({ created: () => success({ call: { id: THEIRS } }) });
  expect([wrong.open.length, wrong.said]).toEqual([wrong.calls.length, '']);
});

test('an empty 201 is said to be that, and what can dial nothing still goes out', async () => {
  const empty = await runAgainst({ created: () => ({ status: 201, headers: [], body: '' }) });
  expect([empty.calls.length, empty.open.length]).toEqual([1, 1]);
  expect(empty.said).toMatch(
    /^request \d+ \(create call\) got status 201 and no call id: a call may be open; have the target/,
  );
  const casesOf = (results: typeof empty.results, id: string) =>
    results.requirements
      .find((requirement) => requirement.id === id)
      ?.cases.find(({ operation }) => operation === 'createCall')?.verdict;
  const readOnly = await runAgainst({}, { profile: 'read-only', ...narrowed('AUTH-CREDENTIAL-REQUIRED') });
  expect(casesOf(readOnly.results, 'AUTH-CREDENTIAL-REQUIRED')).toBe('pass');
  expect(casesOf(empty.results, 'AUTH-CREDENTIAL-REQUIRED')).toBe('pass');
});

test('where every hang-up gets 404, the remedy is where the id stands, unless that is said', async () => {
  const missing = { hungUp: () => json(404, ENVELOPE) };
  const { said, calls } = await runAgainst(missing);
  expect(said).toContain('PCS_CALL_ID_POINTER');
  // If ids are read from the wrong place, each further call would stay open, too.
  expect(calls.length).toBe(2);
  expect((await runAgainst(missing, { callIdPointer: '/data/call/id' })).said).not.toContain('PCS_CALL_ID_POINTER');
});

test.each([
  ['an id', (nth: number) => ({ id: `6ba7b814-9dad-41d1-80b4-${String(nth).padStart(12, '0')}` })],
  [
    'texts keyed by field',
    () => ({ application_id: ['Must be a valid UUID.'], call: { id: 'Must be a valid UUID.' } }),
  ],
])('what a rejection shows is not the id of a call: %s', async (_, more) => {
  const rejected = (reply: ServiceReply, nth: number): ServiceReply => {
    const body = JSON.parse(String(reply.body));
    return { ...reply, body: JSON.stringify({ ...body, ...more(nth), error: { ...body.error, ...more(nth) } }) };
  };
  const [own, { record, open, said, results }] = [await runAgainst({}), await runAgainst({ rejected })];
  expect([open, said, results.verdict]).toEqual([[], '', 'conformant']);
  expect(record.exchanges.length).toBe(own.record.exchanges.length);
});
