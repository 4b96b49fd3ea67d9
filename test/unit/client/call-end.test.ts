/** What closes a call, at each moment of its life. */

import { describe, expect, test } from 'vitest';
import { Budget } from '../../../src/client/budget.ts';
import { NO_TIME } from '../../../src/client/client-options.ts';
import { HangUps } from '../../../src/client/hang-ups.ts';
import type { Answer, SuiteRequest } from '../../../src/client/request.ts';
import {
  type CallHistory,
  type HangUpAnswer,
  type HangUpPhase,
  type HangUpStep,
  type KnownHangUps,
  mayHaveEnded,
  nextHangUpStep,
  triesAllIds,
  wordsForEnded,
} from '../../../src/client/safety/call-end.ts';
import { type Call, CallLedger, callOf } from '../../../src/client/safety/call-ledger.ts';
import { isSuccess } from '../../../src/contract/waiting.ts';
import { bodyOf, exchangeOf } from '../rules/exchanges.ts';

const NOTHING_KNOWN: KnownHangUps = { words: new Set(), isPatienceSpent: false };
const CONFLICT_KNOWN: KnownHangUps = { ...NOTHING_KNOWN, words: new Set([409]) };
const GONE_KNOWN: KnownHangUps = { ...NOTHING_KNOWN, words: new Set([404]) };
const CREATED_AT = 1_000_000;
const CLOSED = 'closed';
const again = (wait: number) => wait;
const [AT_END, GIVEN_UP] = ['left', 'left'];

/** Answers by the age of the call: those of a run, then those of its end. */
type Moment = readonly [age: number, ...answers: HangUpAnswer[]];

function hungUp(run: readonly Moment[], end: readonly Moment[] = []): CallHistory {
  const attempts = (phase: HangUpPhase, moments: readonly Moment[]) =>
    moments.map(([age, ...answers]) => ({ at: CREATED_AT + age, phase, answers }));
  return { createdAt: CREATED_AT, wasHungUp: false, attempts: [...attempts('run', run), ...attempts('end', end)] };
}

function stepAt(age: number, history: CallHistory, phase: HangUpPhase, known = NOTHING_KNOWN): HangUpStep {
  return nextHangUpStep(history, known, CREATED_AT + age, phase);
}

const same = (count: number, answer: HangUpAnswer): readonly Moment[] =>
  Array.from({ length: count }, (_, at): Moment => [at * 2_000, answer]);

describe('between the calls of a run', () => {
  test('a call that was not hung up yet is hung up now', () => {
    expect(stepAt(0, hungUp([]), 'run')).toEqual(again(0));
  });

  test.each([200, 202, 204])('%i closes it', (status) => {
    expect(stepAt(1, hungUp([[1, status]]), 'run')).toEqual(CLOSED);
    expect(stepAt(1, hungUp([[1, 404, status]]), 'run')).toEqual(CLOSED);
    expect(stepAt(9, hungUp([...same(3, 'no-answer'), [9, status]]), 'run')).toEqual(CLOSED);
  });

  test.each([404, 409, 410, 423])('%i is tried again while the call may be being set up, then at the end', (status) => {
    const steps = [1, 2, 3, 4, 5].map((count) => stepAt(10_000, hungUp(same(count, status)), 'run'));
    expect(steps).toEqual([again(500), again(1_000), again(2_000), again(4_000), AT_END]);
  });

  test('once an earlier call got the same answer after all waits, one wait is enough', () => {
    const known = { ...NOTHING_KNOWN, isPatienceSpent: true };
    const steps = [1, 2].map((count) => stepAt(10_000, hungUp(same(count, 404)), 'run', known));
    expect(steps).toEqual([again(500), AT_END]);
  });

  test('404 closes nothing, however often it comes', () => {
    expect(stepAt(90_000, hungUp(same(40, 404)), 'run')).toEqual(AT_END);
    expect(stepAt(60_000, hungUp([[60_000, 404]]), 'run')).toEqual(again(500));
  });

  test('the status of calls that were hung up before closes it, once it cannot mean the setup any more', () => {
    const steps = [1, 4, 5].map((count) => stepAt(10_000, hungUp(same(count, 409)), 'run', CONFLICT_KNOWN));
    expect(steps).toEqual([again(500), again(4_000), AT_END]);
    expect(stepAt(30_000, hungUp([[30_000, 409]]), 'run', CONFLICT_KNOWN)).toEqual(CLOSED);
    expect(stepAt(30_000, hungUp([[30_000, 410]]), 'run', CONFLICT_KNOWN)).toEqual(again(500));
    // Another credential than that of the call gets 404.
    expect(stepAt(30_000, hungUp([[30_000, 404, 409]]), 'run', CONFLICT_KNOWN)).toEqual(CLOSED);
  });

  test('it closes a call at once that was hung up before, by anyone, unless the target asks for a wait', () => {
    const before = { ...hungUp([[1, 409]]), wasHungUp: true };
    expect(stepAt(1, before, 'run', CONFLICT_KNOWN)).toEqual(CLOSED);
    expect(stepAt(1, { ...hungUp([[1, 404]]), wasHungUp: true }, 'run', GONE_KNOWN)).toEqual(again(500));
    const asked = before.attempts.map((attempt) => ({ ...attempt, retryAfter: 10_000 }));
    expect(stepAt(1, { ...before, attempts: asked }, 'run', CONFLICT_KNOWN)).toEqual(again(10_000));
  });

  test.each([
    ['four times', 4, 1_000, again(1_000)],
    ['and then as if it asked for nothing', 5, 1_000, again(8_000)],
    ['while it asks for two minutes at most', 2, 64_000, again(64_000)],
    ['and then as if it asked for nothing', 3, 64_000, again(2_000)],
  ])('what a rejection asks for is waited for %s', (_, count, retryAfter, step) => {
    const history = hungUp(same(count, 409));
    const attempts = history.attempts.map((attempt) => ({ ...attempt, retryAfter }));
    expect(stepAt(1, { ...history, attempts }, 'run', NOTHING_KNOWN)).toEqual(step);
  });

  test('where the target has another word for the end, 404 is tried for 30 s, and no other call is placed', () => {
    const steps = [1, 4, 7].map((count) => stepAt(10_000, hungUp(same(count, 404)), 'run', CONFLICT_KNOWN));
    expect(steps).toEqual([again(500), again(4_000), AT_END]);
    const may = (answer: HangUpAnswer) =>
      [NOTHING_KNOWN, GONE_KNOWN, CONFLICT_KNOWN].map((known) => mayHaveEnded(hungUp(same(1, answer)), known));
    expect([404, 410, 422].map(may)).toEqual([
      [true, true, false],
      [true, true, true],
      [false, false, false],
    ]);
    expect(mayHaveEnded(hungUp(same(1, 422)), { words: new Set([422]) })).toBe(true);
  });

  test('422 closes a call of 30 s, if the target gives it for calls that were hung up before', () => {
    const known = { ...NOTHING_KNOWN, words: new Set([422]) };
    const tried = hungUp(same(7, 422), [[40_000, 422]]);
    expect(stepAt(40_000, tried, 'end', known)).toEqual(CLOSED);
    expect(stepAt(40_000, tried, 'end')).toEqual(GIVEN_UP);
  });

  test('a callee who hangs up first leaves nothing open where the target says so', () => {
    const known = { ...CONFLICT_KNOWN, isPatienceSpent: true };
    const run = same(2, 409);
    expect(stepAt(4_000, hungUp(run), 'run', known)).toEqual(AT_END);
    expect(stepAt(30_000, hungUp(run, [[30_000, 409]]), 'end', known)).toEqual(CLOSED);
  });

  test.each([400, 402, 403, 406, 412, 415, 422])('%i is tried again for 30 s, since the call may ring', (status) => {
    const steps = [1, 2, 3, 4, 5, 6, 7].map((count) => stepAt(10_000, hungUp(same(count, status)), 'run'));
    expect(steps).toEqual([...[500, 1_000, 2_000, 4_000, 8_000, 15_000].map(again), AT_END]);
    const spent = { ...NOTHING_KNOWN, isPatienceSpent: true };
    expect(stepAt(10_000, hungUp(same(2, status)), 'run', spent)).toEqual(again(1_000));
  });

  test('of several ids only the likeliest is tried while the call may be being set up', () => {
    const counts = [0, 1, 3, 4];
    const isAll = (known: KnownHangUps, phase: HangUpPhase) =>
      counts.map((count) => triesAllIds(hungUp(same(count, 404)), known, phase));
    expect(isAll(NOTHING_KNOWN, 'run')).toEqual([false, false, false, true]);
    expect(isAll({ ...NOTHING_KNOWN, isPatienceSpent: true }, 'run')).toEqual([false, true, true, true]);
    expect(isAll(NOTHING_KNOWN, 'end')).toEqual([true, true, true, true]);
  });

  test.each([301, 401, 405])('%i is tried again at the end only', (status) => {
    expect(stepAt(1, hungUp([[1, status]]), 'run')).toEqual(AT_END);
  });

  test.each(['no-answer', 500, 502, 503, 429] as const)('%s is tried again five times', (answer) => {
    const steps = [1, 2, 3, 4, 5, 6].map((count) => stepAt(20_000, hungUp(same(count, answer)), 'run'));
    expect(steps).toEqual([again(0), again(500), again(1_000), again(2_000), again(4_000), AT_END]);
  });

  test('a timeout is tried again once', () => {
    const steps = [1, 2].map((count) => stepAt(60_000, hungUp(same(count, 'timeout')), 'run'));
    expect(steps).toEqual([again(0), AT_END]);
  });
});

describe('at the end', () => {
  const LATE = 40_000;

  test('a call is tried again once it is 30 s old', () => {
    expect(stepAt(12_000, hungUp(same(5, 404)), 'end')).toEqual(again(18_000));
    expect(stepAt(LATE, hungUp(same(5, 404)), 'end')).toEqual(again(0));
  });

  test('404 closes it from then on, and not before, where that is what an ended call gets', () => {
    expect(stepAt(30_000, hungUp(same(5, 404), [[30_000, 404]]), 'end', GONE_KNOWN)).toEqual(CLOSED);
    expect(stepAt(29_999, hungUp(same(5, 404), [[29_999, 404]]), 'end', GONE_KNOWN)).toEqual(again(1));
    expect(stepAt(LATE, hungUp([], [[LATE, 404, 404]]), 'end', GONE_KNOWN)).toEqual(CLOSED);
  });

  test.each([[], [409], [404, 410]])('404 does not close it where an ended call got %j', (...words) => {
    const known = { ...NOTHING_KNOWN, words: new Set(words) };
    expect(stepAt(LATE, hungUp([], [[LATE, 404]]), 'end', known)).toEqual(GIVEN_UP);
  });

  test('404 does not close it where another id was answered otherwise', () => {
    expect(stepAt(LATE, hungUp([], [[LATE, 404, 400]]), 'end', GONE_KNOWN)).toEqual(GIVEN_UP);
    expect(stepAt(LATE, hungUp([], [[LATE, 404, 'timeout']]), 'end', GONE_KNOWN)).toEqual(again(500));
  });

  test('a 404 of the run does not close it, even if the call is old', () => {
    expect(stepAt(LATE, hungUp([[LATE, 404]]), 'end', GONE_KNOWN)).toEqual(again(0));
  });

  test('what the run learned after it was hung up closes it', () => {
    expect(stepAt(LATE, hungUp(same(5, 409)), 'end', CONFLICT_KNOWN)).toEqual(again(0));
    expect(stepAt(LATE, hungUp(same(5, 409), [[LATE, 409]]), 'end', CONFLICT_KNOWN)).toEqual(CLOSED);
    expect(stepAt(100, hungUp([[50, 409]]), 'end', CONFLICT_KNOWN)).toEqual(again(29_900));
  });

  test.each([301, 400, 401, 403, 409, 410])('%i gives it up and names it', (status) => {
    expect(stepAt(LATE, hungUp([], [[LATE, status]]), 'end')).toEqual(GIVEN_UP);
  });

  test('a rejection that asks for a wait is tried again after it', () => {
    const history = hungUp([], [[LATE, 409]]);
    const attempts = history.attempts.map((attempt) => ({ ...attempt, retryAfter: 20_000 }));
    expect(stepAt(LATE, { ...history, attempts }, 'end')).toEqual(again(20_000));
  });

  test('a hang costs three timeouts in total', () => {
    const tried = same(2, 'timeout');
    expect(stepAt(LATE, hungUp(tried), 'end')).toEqual(again(0));
    expect(stepAt(LATE, hungUp(tried, [[LATE, 'timeout']]), 'end')).toEqual(GIVEN_UP);
  });

  test.each(['no-answer', 500, 503] as const)('%s is tried again twice, then given up', (answer) => {
    const steps = [1, 2, 3].map((count) =>
      stepAt(LATE, hungUp(same(6, answer), Array<Moment>(count).fill([LATE, answer])), 'end'),
    );
    expect(steps).toEqual([again(500), again(1_000), GIVEN_UP]);
  });
});

describe('what a target gives for a call that was hung up before', () => {
  test.each<[readonly (readonly HangUpAnswer[])[], readonly number[]]>([
    [[[200, 409]], [409]],
    [[[200, 200]], []],
    [[['no-answer', 204, 410, 422]], [410, 422]],
    [[[409, 409]], []],
    [[[409, 200]], []],
    [[[200, 404, 401, 403, 429, 503, 500, 'timeout']], [404]],
    [
      [[200, 404], [409], [200, 409]],
      [404, 409],
    ],
  ])('%j: %j', (calls, words) => {
    expect([...wordsForEnded(calls)]).toEqual(words);
  });

  test('is what follows on the lost answer, where that of each call was lost', () => {
    const lost: readonly HangUpAnswer[] = ['no-answer', 409];
    expect([...wordsForEnded([lost, [502, 'timeout', 409]])]).toEqual([409]);
    const others: readonly (readonly (readonly HangUpAnswer[])[])[] = [
      [lost],
      [lost, lost, [409]],
      [lost, lost, [200]],
    ];
    expect(others.map((calls) => [...wordsForEnded(calls)])).toEqual([[], [], []]);
  });
});

describe('the hang-ups of a run', () => {
  type Got = number | 'timeout';
  /** Hangs up calls; those in `ids` are open. Each request is shown as its id, `{}` or `+` for another form, and its credential. */
  function hangingUp(answers: (sent: string, nth: number) => Got, ...open: readonly Partial<Call>[]) {
    const ledger = new CallLedger();
    for (const [at, call] of open.entries()) ledger.adopt(callOf({ seq: at + 1, stage: 'open', ...call }));
    const left: string[] = [];
    let last: SuiteRequest | null = null;
    const send = async (request: SuiteRequest): Promise<Answer> => {
      last = request;
      const { path, credential, role } = request;
      const form = `${request.body === null ? '' : '{}'}${path.endsWith('/') ? '+' : ''}`;
      const words = `${path.split('/')[3]}${form}${credential === 'valid' ? '' : ` ${credential}`}`;
      const got = answers(words, left.push(words));
      const status = got === 'timeout' ? null : got;
      const body = request.body && bodyOf({});
      const said = { status, tag: { operation: 'hangUpCall', role }, request: { path, credential, body } } as const;
      const lost = got === 'timeout' ? { failure: { kind: got, detail: '' } } : {};
      const exchange = { ...exchangeOf(said, left.length), ...lost };
      hangUps.learn(exchange, true);
      return { kind: 'answered', exchange, status, accepted: isSuccess(status), attempts: [exchange] };
    };
    const budget = new Budget({ clock: NO_TIME, maxWait: 300_000, callTimeout: 1, timeout: 1 }, () => false);
    const hangUps = new HangUps({ ledger, budget, send, ended: () => undefined });
    const end = async (phase: HangUpPhase = 'run') => {
      for (const call of ledger.open) await hangUps.end(call, phase);
    };
    const sendAgain = (more: Partial<SuiteRequest>) => send({ ...(last as SuiteRequest), ...more });
    return { hangUps, ledger, left, sendAgain, end };
  }
  const A = { ids: ['a'] };

  test.each<readonly [what: string, answers: (sent: string, nth: number) => Got, left: string]>([
    ['an ended call gets something else', (_, nth) => [202, 202, 409, 202][nth - 1] ?? 409, 'a a a b b'],
    ['an answer tells that', (_, nth) => [202, 503, 409, 202][nth - 1] ?? 409, 'a a a b b'],
    ['10 s have passed, once', () => 202, 'a a a a a a a b'],
  ])('after a 202 the next call waits until %s', async (_, answers, all) => {
    const { hangUps, ledger, left, end } = hangingUp(answers, A);
    for (const id of ['a', 'b']) {
      ledger.adopt(callOf({ seq: id === 'a' ? 1 : 2, stage: 'open', ids: [id] }));
      await end();
      await hangUps.untilEnded();
    }
    expect(left.join(' ')).toBe(all);
  });

  test.each<readonly [string, Partial<SuiteRequest>]>([
    ['of another caller', { credential: 'other-organization' }],
    ['to another form of the hang-up', { body: null }],
  ])('nor does a rejection %s end that wait', async (_, other) => {
    const { hangUps, left, sendAgain, end } = hangingUp((sent) => (sent === 'a{}' ? 202 : 415), A);
    await end();
    await sendAgain(other);
    await hangUps.untilEnded();
    expect([left.slice(0, 2), left.slice(3)]).toEqual([['a', 'a{}'], Array(6).fill('a{}')]);
  });

  test('after a timeout no other id is tried', async () => {
    const { left, end } = hangingUp(() => 'timeout', { ids: ['a', 'b'] });
    await end('end');
    expect(left).toEqual(['a', 'a', 'a']);
  });

  test('what an ended call gets asks for no other form', async () => {
    const { ledger, left, sendAgain, end } = hangingUp((_, nth) => (nth === 1 ? 200 : 400), A);
    await end();
    await sendAgain({});
    ledger.adopt(callOf({ seq: 2, stage: 'open', ids: ['b'] }));
    await end();
    expect(new Set(left)).toEqual(new Set(['a', 'b']));
  });

  test('an answered call is hung up at the end under the id that its path had', async () => {
    const { hangUps, left } = hangingUp((_, nth) => (nth === 1 ? 409 : 200));
    await hangUps.endOther('a%40b', { sequence: '', attempt: 0 }, {}, true);
    await hangUps.endRemaining();
    expect(left.slice(0, 2)).toEqual(['a%40b', 'a%40b']);
  });

  test('an answered call that may go on has one entry', async () => {
    const { hangUps, ledger } = hangingUp((sent) => (sent === 'gone' ? 410 : 404));
    for (const id of ['a', 'a', 'b', 'gone']) await hangUps.endOther(id, { sequence: '', attempt: 0 }, {}, true);
    expect(ledger.calls.map(({ ids, attempts }) => [...ids, attempts.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});
