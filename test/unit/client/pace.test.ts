/**
 * The pace of a run: what the user allows, what the target's rate limit taught and announces, and how long to wait
 * before a request is sent again.
 */

import { describe, expect, test, vi } from 'vitest';
import { AnnouncedLimit, Pace } from '../../../src/client/rate.ts';
import { waitFor } from '../../../src/client/reasons.ts';
import { PACE } from '../../../src/contract/limits.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { lowerRate } from '../../../suites/expect/remedy.ts';
import { exchangeOf, type Said } from '../rules/exchanges.ts';

/** A pace at a moment that the test moves on. */
function paced(rate = 0, credentialPause = 0) {
  let now = 1_000;
  const clock = { now: () => now, sleep: async () => undefined, rest: async () => undefined };
  const pace = new Pace({ rate, clock, credentialPause });
  /** Sends requests that far apart, and takes their answers. */
  const send = (answers: readonly Said[], apart: number, isAlone = true): void => {
    for (const said of answers) {
      now += apart;
      pace.learn(exchangeOf(said, 0), isAlone);
    }
  };
  /** Milliseconds between two requests, if each leaves as soon as it may. */
  const gap = (): number => {
    now += pace.turn(1, 0);
    return Math.round(pace.turn(1, 0));
  };
  return { pace, send, gap };
}

const LIMITED: Said = { status: 429 };
const answers = (count: number, said: Said = {}): readonly Said[] => Array(count).fill(said);

test('a rate spaces requests out, and those of a moment take as much time as one after the other', () => {
  const { pace, gap } = paced(10);
  expect([gap(), pace.turn(3, 0)]).toEqual([100, 400]);
  expect(paced(0).gap()).toBe(0);
});

test('invalid credentials leave a pause apart, and valid ones do not wait for it', () => {
  const { pace } = paced(0, 500);
  expect([pace.turn(1, 1), pace.turn(1, 1), pace.turn(1, 0), pace.turn(3, 2)]).toEqual([0, 500, 0, 1_500]);
});

describe('a second 429', () => {
  /** The gap after these answers came between two 429 of a target that took a request each 50 ms. */
  const learned = (between: readonly Said[], second: Said = LIMITED, isAlone = true): number => {
    const { send, gap } = paced();
    send([LIMITED, ...between], 50);
    send([second], 0, isAlone);
    return gap();
  };

  test.each<readonly [string, readonly Said[], Said, boolean, number]>([
    ['teaches the pace at which the target accepted requests', answers(4), LIMITED, true, 50],
    ['teaches nothing where nothing was accepted in between', [], LIMITED, true, 0],
    ['teaches nothing if it is of a request beside others', answers(4), LIMITED, false, 0],
    ['teaches nothing if its request was sent again', answers(4), { ...LIMITED, tag: { resend: 1 } }, true, 0],
    [
      'teaches nothing if its credential is invalid',
      answers(4),
      { ...LIMITED, request: { credential: 'none' } },
      true,
      0,
    ],
    ['does not count a request without a response', answers(4, { status: null }), LIMITED, true, 0],
  ])('%s', (_, between, second, isAlone, gap) => {
    expect(learned(between, second, isAlone)).toBe(gap);
  });

  test('slows a run down to the longest gap at most', () => {
    const { send, gap } = paced();
    send([LIMITED], 50);
    send([{}, LIMITED], 1_000_000);
    expect(gap()).toBe(PACE.longestGap);
  });
});

test('a pace that prevents no 429 is given up', () => {
  const { send, gap } = paced();
  const gaps = Array.from({ length: 4 }, () => {
    send([...answers(19), LIMITED], 50);
    return gap();
  });
  expect(gaps).toEqual([0, expect.any(Number), gaps[1], 0]);
  expect(gaps[1]).toBeGreaterThan(49);
});

test('a pace is kept that lets more and more through before a 429', () => {
  const { send, gap } = paced();
  for (const count of [PACE.calm, ...Array(6).fill(PACE.calm + 1)]) send([...answers(count), LIMITED], 50);
  expect(gap()).toBeGreaterThan(0);
});

test('what was learned is eased while answers come, but not beyond the rate of the user', () => {
  const eased = (rate: number, count: number): number => {
    const { send, gap } = paced(rate);
    send([LIMITED, ...answers(4), LIMITED], 500);
    send(answers(count), 0);
    return gap();
  };
  expect(eased(0, PACE.calm - 1)).toBe(eased(0, 0));
  expect(eased(0, PACE.calm)).toBe(Math.round(eased(0, 0) * 0.8));
  expect([eased(4, PACE.calm * 20), eased(0, PACE.calm * 25)]).toEqual([250, 0]);
});

const NOW = Date.UTC(2026, 10, 21, 12);
const later = (milliseconds: number): string => new Date(NOW + milliseconds).toUTCString();

test.each([
  ['7', 7_000],
  ['0', 0],
  [later(9_000), 9_000],
  [later(-9_000), 0],
  ['Saturday, 21-Nov-26 12:00:05 GMT', 5_000],
  ['Sat Nov 21 12:00:05 2026', 5_000],
  // Values outside the standard count as absent.
  ['-5', 1_000],
  ['1.5', 1_000],
  ['+3', 1_000],
  ['garbage 5', 1_000],
  ['2026', 2_026_000],
  ['', 1_000],
])('Retry-After: %s, whatever the time zone of the run', (value, wait) => {
  vi.stubEnv('TZ', 'America/New_York');
  const waits = waitFor([['Retry-After', value]], 1, NOW);
  vi.unstubAllEnvs();
  expect(waits).toBe(wait > 65_000 ? null : wait);
});

test.each([
  [1, 0],
  [2, 2_000],
  [3, 4_000],
])('"at once" is believed only the first time: resend %i', (resend, wait) => {
  expect(waitFor([['Retry-After', '0']], resend, NOW)).toBe(wait);
  expect(waitFor([['Retry-After', '7']], resend, NOW)).toBe(7_000);
  expect(waitFor([['Retry-After', '5']], resend, NOW)).toBe(5_000);
});

test.each([
  ['11', 11_000],
  [String(NOW / 1_000 + 13), 13_000],
  // That of a longer window.
  ['66', 1_000],
])('X-RateLimit-Reset: %s', (value, wait) => {
  expect(waitFor([['X-RateLimit-Reset', value]], 1, NOW)).toBe(wait);
});

test.each([-300_000, 300_000])('a date is read by the clock of the target, which is %i ms off', (skew) => {
  const headers = [
    ['Date', later(skew)],
    ['Retry-After', later(skew + 9_000)],
  ] as const;
  expect(waitFor(headers, 1, NOW)).toBe(9_000);
});

type Headers = Readonly<Record<string, string>>;

/** An answer, a second after the one before. */
function answered(headers: Headers, at = 0, status = 200): Exchange {
  const exchange = exchangeOf({ status }, at);
  const response = exchange.response && { ...exchange.response, headers: Object.entries(headers) };
  return { ...exchange, at: at * 1_000, took: 0, response };
}

/** Seconds until the reset that is due before one more request, and the rate, after answers with these fields. */
function said(...answers: readonly Headers[]) {
  const limit = new AnnouncedLimit();
  for (const [at, headers] of answers.entries()) limit.learn(answered(headers, at), 1_700_000_000_000);
  return [limit.due((answers.length - 1) * 1_000, 1) / 1_000, limit.rate];
}

const draft = (rest: number, limit = 100): Headers => ({ RateLimit: `limit=${limit}, remaining=${rest}, reset=300` });

test.each<readonly [string, readonly Headers[], readonly [number, number | null]]>([
  ['nothing is announced', [{}], [0, null]],
  ['the rest covers the end', [draft(11)], [0, 0.33]],
  ['one request less does not', [draft(10)], [300, 0.33]],
  ['nor does none', [draft(0)], [300, 0.33]],
  ['a limit that never covers it', [draft(3, 20)], [0, 0.066]],
  ['a policy names the window', [{ ...draft(9), 'RateLimit-Policy': '100;w=900' }], [300, 0.11]],
  ['an item of a list', [{ RateLimit: '"a";r=4;t=70', 'RateLimit-Policy': '"a";q=600;w=150' }], [70, 4]],
  [
    'fields of their own',
    [{ 'RateLimit-Remaining': '4', 'RateLimit-Reset': '70', 'RateLimit-Limit': '50' }],
    [70, 0.71],
  ],
  ['an epoch', [{ 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '1700000070' }], [70, null]],
  [
    'an epoch by their clock',
    [{ 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '61', Date: 'Thu, 01 Jan 1970 00:00:01 GMT' }],
    [61, null],
  ],
  ['the first epoch', [{ 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '1000000000' }], [0, null]],
  ['the furthest reset is the window', [draft(99), { RateLimit: 'limit=100, remaining=98, reset=30' }], [0, 0.33]],
  ['no reset', [{ 'RateLimit-Remaining': '4', 'RateLimit-Limit': '100' }], [0, null]],
  ['a remaining that is no number', [{ 'X-RateLimit-Remaining': 'many', 'X-RateLimit-Reset': '5' }], [0, null]],
])('%s', (_, answers, expected) => {
  expect(said(...answers)).toEqual(expected);
});

test('a reset that was waited for is not believed again, unless the rest grows', () => {
  const limit = new AnnouncedLimit();
  const due = (rest: number): number => {
    limit.learn(answered(draft(rest)), 0);
    return limit.due(0, 1);
  };
  expect(due(9)).toBe(300_000);
  limit.waited();
  expect([due(8), due(7), due(50), due(9)]).toEqual([0, 0, 0, 300_000]);
});

test('what an invalid credential got is not the limit of the run', () => {
  const limit = new AnnouncedLimit();
  const exchange = answered(draft(1));
  limit.learn({ ...exchange, request: { ...exchange.request, credential: 'none' } }, 0);
  expect(limit.due(0, 1)).toBe(0);
});

test('a 429 without an announcement shows the rate by what was accepted before it', () => {
  const accepted = Array.from({ length: 600 }, (_, at) => answered({}, at / 200));
  expect(lowerRate([...accepted, answered({ 'Retry-After': '147' }, 3, 429)])).toBe('lower --rate to 4');
  expect([accepted, [answered({ 'Retry-After': '147' }, 0, 429)]].map(lowerRate)).toEqual(
    Array(2).fill('lower --rate'),
  );
});
