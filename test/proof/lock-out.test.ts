/** Targets that lock out a sender of invalid credentials for a while are waited for, and judged to the end. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import type { Clock } from '../../src/client/clock.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { questionsSentence } from '../../src/verdict/sentence.ts';
import { allAnswered } from '../planned.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';
import { expectNamed } from './broken-by.ts';

interface LockOut {
  /** Invalid credentials in a minute that are borne. */
  readonly after: number;
  readonly seconds: number;
  readonly status: number;
  readonly retryAfter?: string;
  /** Words it like the rejection of a request without a credential. */
  readonly isWordedAlike?: true;
  readonly fault?: Fault;
}

const CONFORMANT = ['conformant', allAnswered(optionsFrom(createReference().settings))];

/** A clock on which the next sleeper wakes as soon as all others sleep. */
function virtualClock(): Clock {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const advance = (): void => {
    const [next] = sleepers.sort((a, b) => a.at - b.at).splice(0, 1);
    if (next === undefined) return;
    now = next.at;
    next.wake();
  };
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => {
      sleepers.push({ at: now + milliseconds, wake });
      setImmediate(advance);
    });
  return { now: () => now, sleep, rest: sleep };
}

/** A run against a service that locks every caller out, in virtual time. */
async function lockedOut(lockOut: LockOut, changes: Partial<RunOptions> = {}) {
  const clock = virtualClock();
  const { after, seconds, status, retryAfter, fault } = lockOut;
  const { service: own, settings } = createReference();
  const service = fault?.inject(own, settings) ?? own;
  let invalid: readonly number[] = [];
  let until = 0;
  let lockOuts = 0;
  const guarded: Service = async (request) => {
    const now = clock.now();
    const isInvalid = ![settings.PCS_ACCESS_TOKEN, settings.PCS_OTHER_ORG_ACCESS_TOKEN].some(
      (token) => request.headers['authorization'] === `Bearer ${token}`,
    );
    if (now < until && lockOut.isWordedAlike)
      return own({ ...request, method: 'GET', target: '/v1/trunks/', headers: {} });
    if (now < until) {
      const body = '{"success":false,"error":{"code":"locked","message":"Too many invalid credentials."}}';
      const wait = retryAfter === undefined ? [] : ([['Retry-After', retryAfter]] as const);
      return { status, headers: [['Content-Type', 'application/json'], ['WWW-Authenticate', 'Bearer'], ...wait], body };
    }
    if (isInvalid) invalid = [...invalid.filter((at) => at > now - 60_000), now];
    if (invalid.length >= after) {
      invalid = [];
      until = now + seconds * 1_000;
      lockOuts += 1;
    }
    return service(request);
  };
  const run = await judge(guarded, optionsFrom(settings, { maxWait: 86_400_000, ...changes }), clock);
  return { ...run, lockOuts, waited: clock.now() };
}

describe('a lock-out after invalid credentials', () => {
  const lockOuts = sampled<LockOut>(
    [
      { after: 20, seconds: 30, status: 401 },
      { after: 10, seconds: 300, status: 401 },
      { after: 40, seconds: 45, status: 403, retryAfter: '45' },
      { after: 10, seconds: 60, status: 429, retryAfter: '60' },
    ],
    4,
  );

  test.each(lockOuts.items)(
    `is waited out: $after invalid ones, $seconds s, status $status (${lockOuts.words})`,
    async (lockOut) => {
      const { record, results, lockOuts } = await lockedOut(lockOut);
      expect(lockOuts).toBeGreaterThan(2);
      expect([results.verdict, questionsSentence(results.questions)]).toEqual(CONFORMANT);
      await comesOutTheSameToo(record);
    },
  );

  const FAULTY: readonly string[] = [
    'credential-under-basic',
    'php-token-in-lower-case',
    'encoded-path-past-the-gateway',
  ];
  const faults = FAULTS.filter(({ name }) => FAULTY.includes(name));

  const planted = sampled(
    faults.flatMap((fault) => [
      { ...fault, fault },
      { ...fault, fault, isWordedAlike: true as const },
    ]),
    5,
  );

  test.each(planted.items)(
    `hides no fault: $name (worded like other rejections: $isWordedAlike; ${planted.words})`,
    async ({ fault, breaks, ...how }) => {
      const { results, record } = await lockedOut({ ...how, after: 19, seconds: 10, status: 401, fault });
      expectNamed(results, { breaks });
      await comesOutTheSameToo(record);
    },
  );

  test('that comes again until --max-wait is used up ends the run, and nothing is accused', async () => {
    const lockOut = { after: 20, seconds: 45, status: 401, isWordedAlike: true } as const;
    const { results } = await lockedOut(lockOut, { maxWait: 300_000 });
    expect(results.verdict).toBe('incomplete');
    expect(results.endedEarly).toMatch(/locked out; .* set --credential-pause or raise --max-wait$/);
    expect(casesOf(results).filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')).toEqual([]);
    expect(casesOf(results).filter(({ verdict }) => verdict === 'inconclusive').length).toBeGreaterThan(20);
  });

  test('does not come if there is a pause between invalid credentials', async () => {
    const { results, lockOuts } = await lockedOut(
      { after: 10, seconds: 600, status: 403 },
      { credentialPause: 10_000 },
    );
    expect([results.verdict, questionsSentence(results.questions)]).toEqual(CONFORMANT);
    expect(lockOuts).toBe(0);
  });

  test('is waited for no longer than --max-wait, and then ends the run', async () => {
    const { results, waited } = await lockedOut({ after: 20, seconds: 9_000, status: 401 }, { maxWait: 100_000 });
    expect(results.verdict).toBe('incomplete');
    expect(results.endedEarly).toMatch(/locked out/);
    expect(waited).toBeLessThan(300_000);
  });
});

test('a 403 for missing rights is not taken for a lock-out after a 415 to the same body', async () => {
  const clock = virtualClock();
  const choices = { scope: 'no-trunk-update', 'refusal-order': 'after-body' };
  const { service, settings } = createVariant(choices, { wait: clock.sleep, now: clock.now });
  const { record } = await judge(service, optionsFrom(settings), clock);
  const updates = record.exchanges.filter(
    ({ tag, request }) => tag.operation === 'updateTrunk' && request.credential === 'valid',
  );
  expect(updates.map(({ response }) => response?.status)).toEqual(expect.arrayContaining([403, 415]));
  expect(updates.filter(({ tag }) => tag.resend > 0)).toEqual([]);
});

describe('--max-invalid-credentials', () => {
  test('leaves out what goes beyond it, and says so', async () => {
    const { record, results } = await lockedOut(
      { after: 1_000, seconds: 1, status: 401 },
      { maxInvalidCredentials: 25 },
    );
    const invalid = record.exchanges.filter(
      ({ request }) => !['valid', 'other-organization'].includes(request.credential),
    );
    expect(invalid.length).toBe(25);
    expect(results.verdict).toBe('incomplete');
    const open = results.requirements
      .flatMap(({ cases }) => cases)
      .filter(({ remedy }) => remedy === 'raise --max-invalid-credentials');
    expect(open.length).toBeGreaterThan(50);
    await comesOutTheSameToo(record);
  });
});
