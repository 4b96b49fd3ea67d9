/** How long a request may take, and when the time that a hanging target costs ends the run. */

import { expect, test } from 'vitest';
import { Budget } from '../../../src/client/budget.ts';
import { NO_TIME } from '../../../src/client/client-options.ts';
import type { Place, SuiteRequest } from '../../../src/client/request.ts';
import { TRIALS } from '../../../src/contract/limits.ts';
import { exchangeOf } from '../rules/exchanges.ts';

type Asked = Partial<Pick<SuiteRequest, 'operation' | 'method' | 'path' | 'role'>>;
const request = (more: Asked = {}): SuiteRequest =>
  ({ operation: 'getTrunk', method: 'GET', path: '/v1/trunks/a', role: 'probe', ...more }) as SuiteRequest;
const CREATE: Asked = { operation: 'createCall', method: 'POST', path: '/v1/calls/' };
const HANG_UP: Asked = { operation: 'hangUpCall', method: 'POST', path: '/v1/calls/a/hangup' };

/** What came of the requests before, one after the other: how long a response took, or a timeout. */
type Came = readonly [asked: Asked, took: number | 'hang', place?: Partial<Place>];

/** A target whose timeouts are 60 s for a call and 10 s for all else. */
const budget = (): Budget =>
  new Budget({ clock: NO_TIME, maxWait: 300_000, callTimeout: 60_000, timeout: 10_000 }, () => false);

function hangsAfter(before: readonly Came[]): Budget {
  const hangs = budget();
  let at = 0;
  for (const [asked, took, place] of before) {
    const timeout = hangs.timeoutFor(request(asked), { sequence: 's', attempt: 0, ...place });
    const milliseconds = took === 'hang' ? timeout : took;
    const exchange = exchangeOf({ status: took === 'hang' ? null : 200 }, 0);
    hangs.learn(request(asked), { ...exchange, at, took: milliseconds }, timeout);
    at += milliseconds;
  }
  return hangs;
}
const times = (count: number, came: Came): readonly Came[] => Array(count).fill(came);
const HANG: Came = [{}, 'hang'];
const LATE = (['listTrunks', 'listNumbers', 'getCarrierProvider'] as const).map(
  (operation): Came => [{ operation }, 'hang'],
);

test.each<readonly [string, readonly Came[], Asked, Partial<Place>, number]>([
  ['a whole timeout at first', [], {}, {}, 10],
  ['a whole timeout after one hang', [HANG], {}, {}, 10],
  ['an eighth after two', [HANG, HANG], {}, {}, 1.25],
  ['a whole timeout after two and a response', [HANG, HANG, [{}, 20]], {}, {}, 10],
  ['three times the slowest response, where that is longer', [[{}, 2_000], HANG, HANG], {}, {}, 6],
  ['half a minute as the last repetition', [HANG, HANG], {}, { after: 'hang' }, 30],
  ['that once', [HANG, HANG, [{}, 'hang', { after: 'hang' }]], {}, { after: 'hang' }, 1.25],
  ['that never in clean-up', [HANG, HANG], {}, { after: 'hang', cleanUp: true }, 10],
  ['a whole timeout as a health check, however often it hung', [HANG, HANG, HANG], { role: 'health-check' }, {}, 10],
  ['an eighth once three timeouts were lost elsewhere', [[{}, 20], ...LATE], {}, {}, 1.25],
  ['a whole timeout then for an operation of which nothing is known', LATE, {}, {}, 10],
  ['an eighth then in clean-up, known or not', LATE, {}, { cleanUp: true }, 1.25],
  ['a whole timeout then for the first hang-up of a call', LATE, HANG_UP, { cleanUp: true }, 10],
  ['an eighth then for the next one', LATE, HANG_UP, { cleanUp: true, attempt: 1 }, 1.25],
  ['a whole timeout in clean-up, however often it hung', [HANG, HANG], {}, { cleanUp: true }, 10],
  ['a minute for a call', [], CREATE, {}, 60],
  ['less for a call once one has hung', [[CREATE, 'hang']], CREATE, {}, 36],
  ['less for a call once three timeouts were lost', LATE, CREATE, {}, 36],
])('a request gets %s', (_, before, asked, place, seconds) => {
  const timeout = hangsAfter(before).timeoutFor(request(asked), { sequence: 's', attempt: 0, ...place });
  expect(timeout / 1_000).toBe(seconds);
});

test('an operation hangs that left three requests in a row without a response, and no other does', () => {
  expect(hangsAfter(times(TRIALS.rule - 1, HANG)).hangs('getTrunk')).toBe(false);
  const hangs = hangsAfter(times(TRIALS.rule, HANG));
  expect([hangs.hangs('getTrunk'), hangs.hangs('listTrunks')]).toEqual([true, false]);
  expect(hangsAfter([...times(TRIALS.rule, HANG), [{}, 20]]).hangs('getTrunk')).toBe(false);
});

test('the run ends after the timeout of a call and three others, and what waits at the same time counts once', () => {
  const lost = (count: number, apart: number): string | null => {
    const hangs = budget();
    for (let nth = 0; nth < count; nth += 1)
      hangs.learn(request(), { ...exchangeOf({ status: null }, 0), at: nth * apart, took: 10_000 }, 10_000);
    return hangs.tooSilent;
  };
  expect([lost(8, 10_000), lost(9, 10_000)]).toEqual([null, expect.stringContaining('for 90 seconds in total')]);
  expect([lost(9, 0), lost(17, 5_000)]).toEqual([null, expect.stringContaining('for 90 seconds in total')]);
});
