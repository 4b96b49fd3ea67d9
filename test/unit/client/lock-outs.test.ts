/** When a rejection of the valid credential is taken for a lock-out: what has to come before it, and what speaks against it. */

import { expect, test } from 'vitest';
import { InvalidCredentials } from '../../../src/client/invalid-credentials.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import { exchangeOf } from '../rules/exchanges.ts';

/** What is sent: an invalid credential, or a request with the valid one and its status. */
type Step = 'invalid' | readonly [status: number | null, request?: Partial<SuiteRequest>];

const READ = { operation: 'getTrunk', method: 'GET', path: '/v1/trunks/a', credential: 'valid', body: null } as const;
const request = (more: Partial<SuiteRequest> = {}): SuiteRequest =>
  ({ ...READ, contentType: null, role: 'probe', asks: [], control: false, about: '', ...more }) as SuiteRequest;

/** An invalid credential whose answer is lost. */
const sendInvalid = (invalid: InvalidCredentials): boolean =>
  invalid.learn(request({ credential: 'truncated' }), exchangeOf({ status: null }, 0));

/** Whether the last answer is taken for a lock-out. */
function isLockedOut(steps: readonly Step[]): boolean {
  const invalid = new InvalidCredentials();
  let last = false;
  for (const [at, step] of steps.entries()) {
    if (step === 'invalid') sendInvalid(invalid);
    else last = invalid.learn(request(step[1]), exchangeOf({ status: step[0] }, at));
  }
  return last;
}

const THREE: readonly Step[] = ['invalid', 'invalid', 'invalid'];
const ELSEWHERE = { path: '/v1/trunks/b' } as const;
const CALL = { operation: 'createCall', method: 'POST', path: '/v1/calls/' } as const;
const HANG_UP = { operation: 'hangUpCall', method: 'POST', role: 'hang-up' } as const;
const WITH_BODY = { body: Buffer.from('{}') } as const;

test.each<readonly [boolean, string, readonly Step[]]>([
  [true, 'after three invalid credentials, where the request was accepted before', [[200], ...THREE, [401]]],
  [true, 'where it got another rejection before', [[404], ...THREE, [401]]],
  [true, 'with 403 as well', [[200], ...THREE, [403]]],
  [true, 'where it was unavailable before: the credential was not the reason', [[503], ...THREE, [401]]],
  [false, 'where it was unavailable before, and now 403', [[503], ...THREE, [403]]],
  [false, 'where it was only put off before', [[429], ...THREE, [401]]],
  [false, 'after two invalid credentials', [[200], 'invalid', 'invalid', [401]]],
  [false, 'where nothing is known of the request', [...THREE, [401]]],
  [false, 'where another request was accepted', [[200, ELSEWHERE], ...THREE, [401]]],
  [
    true,
    'where another control of the operation was',
    [[200, { ...ELSEWHERE, control: true }], ...THREE, [401, { control: true }]],
  ],
  [
    true,
    'where the hang-up of another call was',
    [[200, { ...HANG_UP, path: 'a' }], ...THREE, [401, { ...HANG_UP, path: 'b' }]],
  ],
  [false, 'with 403, where another body was accepted', [[200], ...THREE, [403, WITH_BODY]]],
  [true, 'with 401, where another body was accepted', [[200], ...THREE, [401, WITH_BODY]]],
  [false, 'where it was rejected before any invalid credential', [[401], [200], ...THREE, [401]]],
  [false, 'where it was rejected with 403 before any', [[403], [200], ...THREE, [401]]],
  [true, 'with 403, although it was rejected so before any', [[403], [200], ...THREE, [403]]],
  [false, 'with 403 to a call: a business rule may answer so', [[201, CALL], ...THREE, [403, CALL]]],
  [true, 'with 401 to a call', [[201, CALL], ...THREE, [401, CALL]]],
  [false, 'with another status', [[200], ...THREE, [404]]],
  [false, 'of an invalid credential', [[200], ...THREE, [401, { credential: 'truncated' }]]],
  [false, 'where no response came', [[200], ...THREE, [null]]],
])('%s: %s', (lockedOut, _, steps) => {
  expect(isLockedOut(steps)).toBe(lockedOut);
});

const learned = (
  invalid: InvalidCredentials,
  status: number,
  seq: number,
  replaces?: number,
  more: Partial<SuiteRequest> = {},
): boolean => {
  const exchange = exchangeOf({ status, tag: replaces === undefined ? {} : { replaces } }, seq - 1);
  return invalid.learn(request(more), exchange);
};

test('a rejection that asks to try again later is a lock-out, although the request is always rejected', () => {
  const invalid = new InvalidCredentials();
  learned(invalid, 403, 1);
  for (const _ of THREE) sendInvalid(invalid);
  const asking = exchangeOf({ status: 403, headers: [['Retry-After', '45']] }, 1);
  expect([invalid.learn(request(), asking), learned(invalid, 403, 3)]).toEqual([true, false]);
});

test('a rejection after a read that a lock-out rejected too disproves no lock-out', () => {
  const read = { ...ELSEWHERE, role: 'health-check' } as const;
  const invalid = new InvalidCredentials();
  learned(invalid, 200, 1);
  learned(invalid, 200, 2, undefined, read);
  for (const _ of THREE) sendInvalid(invalid);
  expect([learned(invalid, 403, 3), learned(invalid, 403, 4, undefined, read)]).toEqual([true, true]);
  learned(invalid, 200, 5, 4, read);
  expect([learned(invalid, 403, 6, 3), invalid.lockedOut]).toEqual([false, [3, 4]]);
  expect(learned(invalid, 403, 7)).toBe(true);
});

test('a rejection right after an accepted request is no lock-out from then on, nor is any once waiting did not help', () => {
  const sent = (): InvalidCredentials => {
    const invalid = new InvalidCredentials();
    learned(invalid, 200, 1);
    for (const _ of THREE) sendInvalid(invalid);
    return invalid;
  };
  const disproved = sent();
  expect(learned(disproved, 401, 2)).toBe(true);
  learned(disproved, 200, 3);
  expect([learned(disproved, 401, 4, 2), learned(disproved, 401, 5)]).toEqual([false, false]);
  const useless = sent();
  useless.giveUp();
  expect(learned(useless, 401, 2)).toBe(false);
});
