/** Why a request is sent again: each reason by itself, from what the request got so far. */

import { describe, expect, test } from 'vitest';
import { type Known, nextStep, type Sent, unavailableKey, waitFor } from '../../../src/client/reasons.ts';
import type { Place, SuiteRequest } from '../../../src/client/request.ts';
import type { Exchange, Learned } from '../../../src/exchange/exchange.ts';
import type { FailureKind } from '../../../src/exchange/message.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const UPDATE: SuiteRequest = {
  operation: 'updateTrunk',
  method: 'PATCH',
  path: '/v1/trunks/a',
  credential: 'valid',
  body: null,
  contentType: null,
  role: 'control',
  asks: [],
  control: true,
  about: '',
};
const CREATE: SuiteRequest = { ...UPDATE, operation: 'createCall', method: 'POST', path: '/v1/calls/' };
const RESTORE: SuiteRequest = { ...UPDATE, role: 'restore' };
const HANG_UP: SuiteRequest = { ...UPDATE, operation: 'hangUpCall', method: 'POST', path: '/v1/calls/a/hangup' };
const PLACE: Place = { sequence: 'a', attempt: 0 };
const CLEAN_UP: Place = { ...PLACE, cleanUp: true };

const KNOWN: Known = {
  now: 0,
  startedAt: 0,
  left: 300_000,
  isCheckable: false,
  gaveUp: new Set(),
  isLineUsed: true,
  isBelieved: () => false,
  isOver: false,
};

type Headers = readonly (readonly [string, string])[];

/** What a request got, one status after the other (`null`: no response), all with these header fields. */
function got(request: SuiteRequest, statuses: readonly (number | null)[], headers: Headers = []): Sent[] {
  let at = 0;
  return statuses.map((status, resend): Sent => {
    if (resend > 0) at += waitFor(headers, resend, 0) ?? 0;
    const { operation, credential, role } = request;
    const exchange: Exchange = exchangeOf({ status, tag: { operation, role, resend } }, resend);
    const learned = operation === 'createCall' ? { learned: { create: 'rejected' as const } } : {};
    const response = exchange.response && { ...exchange.response, headers, ...learned };
    return {
      exchange: { ...exchange, at, took: 0, request: { ...exchange.request, credential }, response },
      isLockedOut: status === 401 || (status === 403 && operation !== 'createCall'),
      symptom: null,
    };
  });
}

const step = (
  request: SuiteRequest,
  statuses: readonly (number | null)[],
  { headers = [], place = PLACE, ...known }: Partial<Known> & { headers?: Headers; place?: Place } = {},
) => {
  const sent = got(request, statuses, headers) as [Sent];
  return nextStep(sent, { request, place }, { ...KNOWN, now: sent.at(-1)?.exchange.at ?? 0, ...known });
};

test('an answer that asks for nothing settles the request', () => {
  expect([200, 400, 404, 409].map((status) => step(UPDATE, [status]))).toEqual(Array(4).fill(null));
});

describe('a rate limit', () => {
  const limit = (wait: number) => expect.objectContaining({ reason: 'rate limit', wait });

  test('is waited for as the answer asks, again and again', () => {
    expect(step(UPDATE, [429], { headers: [['Retry-After', '7']] })).toEqual(limit(7_000));
    expect(step(UPDATE, Array(9).fill(429))).toEqual(limit(32_000));
    expect(step(UPDATE, [429], { headers: [['Retry-After', '147']] })).toEqual(limit(147_000));
    expect(step(UPDATE, [429], { headers: [['Retry-After', '147']], left: 146_000 })).toMatchObject({
      gaveUp: [expect.anything()],
    });
  });

  test('of an invalid credential is given up after six waits, for all of them', () => {
    const request = { ...UPDATE, credential: 'none' } as const;
    expect(step(request, Array(6).fill(429))).toEqual(limit(32_000));
    expect(step(request, Array(7).fill(429))).toEqual({ gaveUp: ['invalid'] });
    // Another status says nothing of other requests.
    expect(step(request, Array(7).fill(503))).toMatchObject({
      gaveUp: ['PATCH updateTrunk none 503', expect.anything()],
    });
    expect(step(request, Array(7).fill(429), { headers: [['Retry-After', '30']] })).toEqual({ gaveUp: ['invalid'] });
  });
});

describe('an operation that is unavailable', () => {
  const wait = (milliseconds: number) => expect.objectContaining({ reason: 'unavailable', wait: milliseconds });

  test('is waited for twice as long each time, six times, and then never again', () => {
    expect([1, 2, 6].map((times) => step(UPDATE, Array(times).fill(503)))).toEqual([1_000, 2_000, 32_000].map(wait));
    expect(step(UPDATE, Array(7).fill(503))).toEqual({ gaveUp: ['PATCH updateTrunk valid 503', 'retries exhausted'] });
    expect(step(UPDATE, [503], { gaveUp: new Set(['PATCH updateTrunk valid 503']) })).toBe(null);
  });

  test.each([408, 425, 503])('is waited for as %i asks, for as long as the budget lasts, six times', (status) => {
    const asking = (times: number, seconds: string, left = 300_000) =>
      step(UPDATE, Array(times).fill(status), { headers: [['Retry-After', seconds]], left });
    expect([asking(1, '100'), asking(6, '40')]).toEqual([100_000, 40_000].map(wait));
    expect(asking(7, '40')).toMatchObject({ gaveUp: [expect.anything(), 'retries exhausted'] });
    expect(asking(1, '100', 99_000)).toMatchObject({ gaveUp: [expect.anything()] });
    // A minute of short waits is allowed, as ever.
    expect(asking(20, '2')).toEqual(wait(2_000));
  });

  test('is not waited for where the target put off another request to the end', () => {
    const gaveUp = new Set(['retries exhausted']);
    expect([step(UPDATE, [503], { gaveUp }), step(UPDATE, [429], { gaveUp })]).toMatchObject([null, { wait: 1_000 }]);
  });

  test('is explained by a read after three equal answers, unless these name a time', () => {
    expect(step(UPDATE, [503, 503, 503], { isCheckable: true })).toMatchObject({ wait: 0, check: 'late' });
    const headers: Headers = [['Retry-After', '2']];
    expect(step(UPDATE, [503, 503, 503], { isCheckable: true, headers })).toEqual(wait(2_000));
    const [first, ...more] = got(UPDATE, [503, 503, 503]) as [Sent, Sent, Sent];
    const other = { ...first, exchange: exchangeOf({ status: 503, body: null }, 0) };
    const known = { ...KNOWN, isCheckable: true };
    expect(nextStep([other, ...more], { request: UPDATE, place: PLACE }, known)).toMatchObject({
      reason: 'unavailable',
    });
    expect(step(UPDATE, [503], { gaveUp: new Set(['unavailable PATCH updateTrunk']) })).toBe(null);
  });

  test('may still reject an invalid credential, so that this one is waited for', () => {
    const gaveUp = new Set([unavailableKey(UPDATE)]);
    const without = { ...UPDATE, credential: 'none' } as const;
    expect([step(UPDATE, [503], { gaveUp }), step(without, [503], { gaveUp })]).toEqual([null, wait(1_000)]);
    expect(step(without, [503], { gaveUp: new Set([unavailableKey(without)]) })).toBe(null);
  });

  test('gets a create call three times more, and fewer where the run has put off many', () => {
    expect(step(CREATE, [503, 503, 503])).toEqual(wait(4_000));
    expect(step(CREATE, Array(4).fill(503))).toBe(null);
    const last = { place: { ...PLACE, resends: 0 } };
    expect(step(CREATE, [503], last)).toBe(null);
    // A limit of the caller says nothing of the call.
    expect(step({ ...CREATE, credential: 'none' }, [429], last)).toMatchObject({ reason: 'rate limit' });
    expect(step({ ...CREATE, credential: 'none' }, [503], last)).toBe(null);
  });

  test.each([401, 409, 429, 503])('is not sent again where %i came after a call that may be open', (status) => {
    const [{ exchange, isLockedOut }] = got(CREATE, [status]) as [Sent];
    const response = exchange.response && { ...exchange.response, learned: {} };
    const sent = { isLockedOut, symptom: null, exchange: { ...exchange, response } };
    expect(nextStep([sent], { request: CREATE, place: PLACE }, KNOWN)).toBe(null);
  });
});

test('a rejection that says when to come back is waited for, unless that is more than a minute in all', () => {
  const asking = (seconds: string, times = 1) =>
    step(UPDATE, Array(times).fill(423), { headers: [['Retry-After', seconds]] });
  expect(asking('3')).toMatchObject({ reason: 'asked to wait', wait: 3_000 });
  expect(asking('30', 2)).toMatchObject({ wait: 30_000 });
  expect(asking('30', 3)).toEqual({ gaveUp: ['PATCH updateTrunk valid 423', 'retries exhausted'] });
  expect(asking('66')).toEqual({ gaveUp: ['PATCH updateTrunk valid 423'] });
  // What was waited for something else does not count.
  expect(step(UPDATE, [500, 423, 423], { headers: [['Retry-After', '30']] })).toMatchObject({ wait: 30_000 });
});

test('what has passed since the answer came is not waited for again', () => {
  expect(step(UPDATE, [429], { headers: [['Retry-After', '60']], now: 59_000 })).toMatchObject({ wait: 1_000 });
});

describe('a lock-out', () => {
  test('is explained by a read, where one is known', () => {
    expect(step(UPDATE, [401], { isCheckable: true })).toMatchObject({ wait: 0, check: 'accepted' });
  });

  test('is waited for as long as the budget lasts', () => {
    expect(step(UPDATE, [401])).toMatchObject({ reason: 'lock-out', wait: 1_000 });
    expect(step(UPDATE, [401], { left: 500 })).toMatchObject({ wait: 500 });
    expect(step(UPDATE, [401], { left: 0 })).toBeNull();
    expect(step(UPDATE, [403, 403], { now: 120_000 })).toEqual({ gaveUp: ['locked out'] });
    expect(step(UPDATE, [401], { headers: [['Retry-After', '400']] })).toMatchObject({ wait: 65_000 });
  });
});

describe('a busy line', () => {
  test('is waited for three times, and then never again for such a call', () => {
    expect([1, 2, 3].map((times) => step(CREATE, Array(times).fill(409)))).toMatchObject([
      { reason: 'busy line', wait: 500 },
      { wait: 1_500 },
      { wait: 3_000 },
    ]);
    expect(step(CREATE, Array(4).fill(409))).toEqual({ gaveUp: ['line valid true'] });
    expect(step(CREATE, [409], { gaveUp: new Set(['line valid true']) })).toBe(null);
  });

  test('is waited for as the second organization is asked to, and after a 403 only then', () => {
    const headers: Headers = [['Retry-After', '2']];
    const rejected = (status: number, known = {}) =>
      step({ ...CREATE, credential: 'other-organization' }, [status], known);
    const asked = { reason: 'busy line', wait: 2_000 };
    expect([rejected(409, { headers }), rejected(403, { headers })]).toMatchObject([asked, asked]);
    expect([rejected(409), rejected(403)]).toMatchObject([{ wait: 500 }, null]);
  });

  test('does not count as put off: a 503 behind it is waited for', () => {
    expect(step(CREATE, [409, 409, 409, 503])).toMatchObject({ reason: 'unavailable' });
  });

  test('needs a call before it', () => {
    expect(step(CREATE, [409], { isLineUsed: false })).toBe(null);
  });
});

describe('a symptom', () => {
  const MALFORMED = { method: 'POST', body: Buffer.from('{'), contentType: 'application/json' } as const;
  /** What follows so many equal sendings; `kind` is that of a lost response. */
  const stepAfter = (
    times: number,
    status: number | null,
    {
      request = UPDATE,
      kind = 'reset' as FailureKind,
      place = PLACE,
      learned = {},
      ...known
    }: Partial<Known> & {
      readonly learned?: Learned;
      readonly request?: SuiteRequest;
      readonly kind?: FailureKind;
      readonly place?: Place;
    } = {},
  ) => {
    const sent = got(request, Array(times).fill(status)).map((one): Sent => {
      const failure = status === null ? { kind, detail: '' } : null;
      const { response } = one.exchange;
      const body = status === 404 ? null : (response?.body ?? null);
      return {
        ...one,
        symptom: 'a symptom',
        exchange: { ...one.exchange, failure, response: response && { ...response, body, learned } },
      };
    });
    return nextStep(sent as [Sent], { request, place }, { ...KNOWN, ...known });
  };
  const waits = (most: number, status: number | null, more = {}) =>
    Array.from({ length: most }, (_, at) => {
      const step = stepAfter(at + 1, status, more);
      return step !== null && 'wait' in step ? [step.reason, step.check, step.then] : step;
    });

  test.each([
    ['a 5xx', 500, {}, [0, 1_000, 4_000, 16_000]],
    ['a lost response', null, {}, [0, 1_000, 4_000, 16_000]],
    ['a response that does not come', null, { kind: 'timeout' }, [0]],
    ['an error without a body', 404, {}, [0, 1_000, 4_000]],
    ['a call that can dial', 500, { request: { ...CREATE, body: Buffer.from('{"to":"+15550100"}') } }, [4_000]],
    ['such a call that is put off', 503, { request: { ...CREATE, body: Buffer.from('{"to":"+15550100"}') } }, [4_000]],
    [
      'a call that can dial nothing',
      500,
      { request: { ...CREATE, ...MALFORMED, body: null } },
      [0, 1_000, 4_000, 16_000],
    ],
  ] as const)('%s is sent again with a read before it', (_, status, more, expected) => {
    expect(waits(expected.length + 1, status, more)).toEqual([
      ...expected.map((wait) => ['symptom', 'present', wait]),
      null,
    ]);
  });

  test('is sent again although the request was put off before, and not where another answer came', () => {
    const behind = (status: number) => {
      const [first, broken] = got(UPDATE, [status, 500]) as [Sent, Sent];
      const sent = [first, { ...broken, symptom: 'a symptom' }] as const;
      return nextStep([...sent], { request: UPDATE, place: PLACE }, KNOWN);
    };
    const repeated = { reason: 'symptom', check: 'present' };
    expect([503, 401, 200].map(behind)).toMatchObject([repeated, repeated, null]);
    expect(stepAfter(1, null, { gaveUp: new Set(['unavailable PATCH updateTrunk']) })).toMatchObject(repeated);
  });

  test.each([
    ['that is known for its operation', { isBelieved: () => true }],
    ['of a health check', { request: { ...UPDATE, role: 'health-check' } }],
    ['of the preflight', { request: { ...UPDATE, role: 'preflight' } }],
    ['of a call that was placed', { request: CREATE, learned: { create: 'placed' } }],
    ['of a call for the sake of others', { request: { ...CREATE, role: 'occasion' } }],
    ['of the hang-up that ends a call', { request: HANG_UP, place: { ...CLEAN_UP, isOfLedger: true } }],
    ['of clean-up after the end of the run', { request: RESTORE, place: CLEAN_UP, isOver: true }],
  ] as const)('%s is not repeated', (_, more) => {
    expect(stepAfter(1, 500, more)).toBe(null);
  });
});

describe('clean-up', () => {
  test('is put off for as long as any request, and hangs up a last time before the target asks for it', () => {
    const limited: Parameters<typeof step>[2] = { headers: [['Retry-After', '30']], place: CLEAN_UP };
    expect([RESTORE, HANG_UP].map((request) => step(request, [429, 429], limited))).toMatchObject([
      { wait: 30_000 },
      { wait: 30_000 },
    ]);
    expect(step(RESTORE, [503, 503, 503], limited)).toMatchObject({ wait: 30_000 });
    expect(step(RESTORE, [503, 503, 503, 503, 503, 503, 503], limited)).toBe(null);
    expect(step(HANG_UP, [503], { ...limited, left: 5_000 })).toMatchObject({ wait: 5_000 });
    // The limit of the whole run is bounded by the budget alone.
    expect(step(HANG_UP, [429, 429, 429], limited)).toMatchObject({ wait: 30_000 });
    expect(step(RESTORE, [429], { ...limited, left: 9_000 })).toBe(null);
    expect(step(HANG_UP, [503], { ...limited, headers: [['Retry-After', '400']] })).toBe(null);
  });
});
