/** What answers announce of a rate limit: whether the rest covers the end of a run, and the rate that is allowed. */

import { expect, test } from 'vitest';
import { AnnouncedLimit } from '../../../src/client/rate.ts';
import type { Exchange } from '../../../src/exchange/exchange.ts';
import { lowerRate } from '../../../suites/expect/remedy.ts';
import { exchangeOf } from '../rules/exchanges.ts';

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
