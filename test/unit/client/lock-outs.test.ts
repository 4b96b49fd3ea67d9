/** When a rejection of the valid credential is taken for a lock-out: what has to come before it, and what speaks against it. */

import { expect, test } from 'vitest';
import { EXHAUSTED, LOCKED_OUT } from '../../../src/client/reasons.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import { Settlements } from '../../../src/client/settlements.ts';
import { exchangeOf } from '../rules/exchanges.ts';

/** What is sent: an invalid credential, or a request with the valid one and its status. */
type Step = 'invalid' | readonly [status: number | null, request?: Partial<SuiteRequest>];

const READ = { operation: 'getTrunk', method: 'GET', path: '/v1/trunks/a', credential: 'valid', body: null } as const;
const request = (more: Partial<SuiteRequest> = {}): SuiteRequest =>
  ({ ...READ, contentType: null, role: 'probe', asks: [], control: false, about: '', ...more }) as SuiteRequest;

/** An invalid credential whose answer is lost. */
const sendInvalid = (invalid: Settlements): boolean =>
  invalid.learn(request({ credential: 'truncated' }), exchangeOf({ status: null }, 0)).isLockedOut;

/** Whether the last answer is taken for a lock-out. */
function isLockedOut(steps: readonly Step[]): boolean {
  const invalid = new Settlements();
  let last = false;
  for (const [at, step] of steps.entries()) {
    if (step === 'invalid') sendInvalid(invalid);
    else last = invalid.learn(request(step[1]), exchangeOf({ status: step[0] }, at)).isLockedOut;
  }
  return last;
}

const THREE: readonly Step[] = ['invalid', 'invalid', 'invalid'];
const ELSEWHERE = { path: '/v1/trunks/b' } as const;
const CALL = { operation: 'createCall', method: 'POST', path: '/v1/calls/' } as const;

test.each<readonly [boolean, string, readonly Step[]]>([
  [true, 'after three invalid credentials, where the request was accepted before', [[200], ...THREE, [401]]],
  [true, 'with 403 as well', [[200], ...THREE, [403]]],
  [true, 'where nothing is known of the request: a read tells', [...THREE, [401]]],
  [true, 'where it was rejected before any invalid credential: a read tells', [[401], [200], ...THREE, [401]]],
  [false, 'after two invalid credentials', [[200], 'invalid', 'invalid', [401]]],
  [false, 'with 403 to a call: a business rule may answer so', [[201, CALL], ...THREE, [403, CALL]]],
  [true, 'with 401 to a call', [[201, CALL], ...THREE, [401, CALL]]],
  [false, 'with another status', [[200], ...THREE, [404]]],
  [false, 'of an invalid credential', [[200], ...THREE, [401, { credential: 'truncated' }]]],
  [false, 'where no response came', [[200], ...THREE, [null]]],
])('%s: %s', (lockedOut, _, steps) => {
  expect(isLockedOut(steps)).toBe(lockedOut);
});

const learned = (
  invalid: Settlements,
  status: number,
  seq: number,
  replaces?: number,
  more: Partial<SuiteRequest> = {},
): boolean => {
  const exchange = exchangeOf({ status, tag: replaces === undefined ? {} : { replaces } }, seq - 1);
  return invalid.learn(request(more), exchange).isLockedOut;
};

test('what is disproved for an operation is disproved for each of its requests, and for no other operation or status', () => {
  const invalid = new Settlements();
  for (const _ of THREE) sendInvalid(invalid);
  learned(invalid, 403, 1);
  learned(invalid, 200, 2, undefined, { ...ELSEWHERE, role: 'health-check' });
  expect([invalid.lockOuts.lockedOut, learned(invalid, 403, 3, 1), invalid.lockOuts.lockedOut]).toEqual([
    [1],
    false,
    [],
  ]);
  const later: readonly (readonly [number, Partial<SuiteRequest>])[] = [
    [403, { ...ELSEWHERE, body: Buffer.from('{}') }],
    [401, {}],
    [403, { operation: 'listTrunks', path: '/v1/trunks/' }],
  ];
  expect(later.map(([status, more], at) => learned(invalid, status, 4 + at, undefined, more))).toEqual([
    false,
    true,
    true,
  ]);
});

test.each<readonly [string, number, readonly [number, 'health-check' | 'probe'], readonly number[]]>([
  [
    'is flaky, and not a lock-out, where the credential was accepted three times before and right afterwards',
    3,
    [200, 'health-check'],
    [],
  ],
  ['is a lock-out where it was accepted twice', 2, [200, 'health-check'], [4]],
  ['is a lock-out where the health check met it, too', 3, [401, 'health-check'], [4, 5]],
  ['is a lock-out where no health check told', 3, [200, 'probe'], [4]],
])('a 401 that goes away %s', (_, times, [status, role], lockedOut) => {
  const invalid = new Settlements();
  for (const _ of THREE) sendInvalid(invalid);
  for (let seq = 4 - times; seq < 4; seq += 1) learned(invalid, 200, seq, undefined, ELSEWHERE);
  learned(invalid, 401, 4);
  learned(invalid, status, 5, undefined, { ...ELSEWHERE, role });
  learned(invalid, 200, 6, 4);
  expect(invalid.lockOuts.lockedOut).toEqual(lockedOut);
});

test('a rejection after a read that a lock-out rejected too disproves no lock-out', () => {
  const read = { ...ELSEWHERE, role: 'health-check' } as const;
  const invalid = new Settlements();
  learned(invalid, 200, 1);
  learned(invalid, 200, 2, undefined, read);
  for (const _ of THREE) sendInvalid(invalid);
  expect([learned(invalid, 403, 3), learned(invalid, 403, 4, undefined, read)]).toEqual([true, true]);
  learned(invalid, 200, 5, 4, read);
  expect([learned(invalid, 403, 6, 3), invalid.facts.lockedOut]).toEqual([false, [3, 4]]);
  expect(learned(invalid, 403, 7)).toBe(true);
});

test('a rejection right after an accepted request is no lock-out from then on, nor is any once waiting did not help', () => {
  const sent = (): Settlements => {
    const invalid = new Settlements();
    learned(invalid, 200, 1);
    for (const _ of THREE) sendInvalid(invalid);
    return invalid;
  };
  const disproved = sent();
  disproved.gaveUp.add(EXHAUSTED);
  expect([learned(disproved, 401, 2), disproved.gaveUp.size]).toEqual([true, 1]);
  learned(disproved, 200, 3);
  expect([learned(disproved, 401, 4, 2), learned(disproved, 401, 5)]).toEqual([false, false]);
  const useless = sent();
  useless.gaveUp.add(LOCKED_OUT);
  expect(learned(useless, 401, 2)).toBe(false);
});
