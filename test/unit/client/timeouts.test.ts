/** What a request costs on which the target hangs. */

import { describe, expect, test } from 'vitest';
import { Hangs } from '../../../src/client/hangs.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';

const READ: SuiteRequest = {
  operation: 'listTrunks',
  method: 'GET',
  path: '/v1/trunks/',
  credential: 'valid',
  body: null,
  contentType: null,
  role: 'probe',
  asks: [],
  control: false,
  about: '',
};
const CREATE: SuiteRequest = { ...READ, operation: 'createCall', method: 'POST', path: '/v1/calls/' };

const SHORT = { call: 60, other: 10 };

/** The timeouts of attempts that all time out. */
const hanging = (request: SuiteRequest, attempts: number): readonly number[] =>
  Array.from({ length: attempts }, (_, attempt) =>
    new Hangs(SHORT).timeoutFor(request, { sequence: 'a', attempt, timeouts: attempt }),
  );

test('six attempts at a read are two timeouts, three short ones, and half a minute: slow is not hanging', () => {
  expect(hanging(READ, 6)).toEqual([10, 10, 1.25, 1.25, 1.25, 30_000]);
});

test('two attempts at a create call take less than two, each enough for one that takes half a minute', () => {
  expect(hanging(CREATE, 2)).toEqual([60, 36]);
});

test('a hang-up gets a whole timeout each time', () => {
  const place = { sequence: 'a', attempt: 2, cleanUp: true };
  const request = { ...CREATE, operation: 'hangUpCall', path: '/v1/calls/a/hangup' } as const;
  expect(new Hangs(SHORT).timeoutFor(request, place)).toBe(10);
});

test('a repetition after another symptom gets three: slowness is not a failure', () => {
  expect(new Hangs(SHORT).timeoutFor(READ, { sequence: 'a', attempt: 1 })).toBe(30);
});

const TIMED_OUT = { failure: { kind: 'timeout', detail: '' } } as const;

/** A target that hung on each of these requests, each with this timeout in milliseconds. */
function hungOn(requests: readonly SuiteRequest[], timeout: number): Hangs {
  const hangs = new Hangs({ call: 60_000, other: 10_000 });
  for (const request of requests) hangs.learn(request, { ...TIMED_OUT, at: 0, took: 1 }, timeout);
  return hangs;
}

describe('the last repetition of a read', () => {
  const last = { sequence: 'a', attempt: 5 };

  test('takes half a minute', () => {
    expect(hungOn([READ], 10_000).timeoutFor(READ, last)).toBe(30_000);
  });

  test('is short once half a minute has passed without a response', () => {
    expect(hungOn([READ], 30_000).timeoutFor(READ, last)).toBe(1_250);
  });

  test('takes half a minute again after a response', () => {
    const hangs = hungOn([READ], 30_000);
    hangs.learn(READ, { at: 1, took: 1, failure: null }, 10_000);
    expect(hangs.timeoutFor(READ, last)).toBe(30_000);
  });
});

test('short timeouts leave room for half a minute, until half of what may be lost is lost', () => {
  const hangs = new Hangs({ call: 60_000, other: 1_000 });
  const endAfter = (now: number): string | null => {
    hangs.learn(READ, { ...TIMED_OUT, at: now - 1_500, took: 1_500 }, 1_000);
    return hangs.endBefore(READ, 30_000);
  };
  const ends = [1_500, 3_000, 4_500].map(endAfter);
  expect(ends).toEqual([null, null, expect.stringContaining('for 5 seconds in total')]);
});

describe('a further hang-up of a call', () => {
  const request: SuiteRequest = { ...CREATE, operation: 'hangUpCall', path: '/v1/calls/a/hangup' };
  const again = { sequence: 'a', attempt: 1, cleanUp: true };
  const timeoutAfter = (hung: number): number =>
    hungOn(
      Array.from({ length: hung }, () => request),
      10_000,
    ).timeoutFor(request, again);

  test('is short where six hung in a row', () => {
    expect([timeoutAfter(3), timeoutAfter(6)]).toEqual([10_000, 1_250]);
  });
});
