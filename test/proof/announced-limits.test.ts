/** A rate limit that a target announces leaves nothing behind, and what a run waits for is what the target says. */

import { expect, test } from 'vitest';
import { announcing, type Gateway, maintenance } from '../../fixtures/gateways/gateways.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { narrowed } from '../sampled.ts';
import { comesOutTheSame } from './again.ts';
import { judgeBehind } from './gateways.ts';

const MINUTES = 60_000;

/** What a run comes to, and what it leaves. */
async function judged(gateway: Gateway, changes: Partial<RunOptions> = {}) {
  const run = await judgeBehind({ gateways: [gateway], changes });
  const { record, results, seconds, callsOpen, changedIds, accused } = run;
  // Each wait follows from the record.
  await comesOutTheSame(record);
  const { endedEarly, possiblyOpen, unrestored = [], changed } = record;
  const unnamed = changedIds.filter((id) => !changed.some((sentence) => sentence.includes(id)));
  const limited = record.exchanges.filter(({ response }) => response?.status === 429).length;
  return { limited, left: [accused, possiblyOpen, unrestored, unnamed, callsOpen], endedEarly, results, seconds };
}

const NOTHING = [[], [], [], [], 0];

test.each(['RateLimit', 'X-RateLimit'] as const)(
  '100 requests in 15 minutes, announced in %s: the run ends in order, and names the rate',
  async (by) => {
    const { left, endedEarly, results } = await judged(announcing(100, 15 * MINUTES, by));
    expect([left, results.verdict]).toEqual([NOTHING, 'incomplete']);
    expect(endedEarly).toMatch(
      /the rest of the rate limit of 100 requests in \d{3} s, .* is kept for the end of the run: lower --rate to 0\.11, or/,
    );
  },
);

test('a run that only reads has nothing to undo, and uses what is left', async () => {
  const almostUsedUp: Gateway = () => (service) => async (request) => {
    const reply = await service(request);
    return { ...reply, headers: [...reply.headers, ['RateLimit', 'limit=100, remaining=5, reset=900']] };
  };
  const { results, endedEarly } = await judged(almostUsedUp, { profile: 'read-only' });
  expect([results.verdict, endedEarly]).toEqual(['conformant', null]);
});

test('100 requests in two minutes, announced: each reset is waited for before a write gets 429', async () => {
  const patient = { maxWait: 60 * MINUTES, ...narrowed('SUCCESS-STATUS', 'AUTH-SECRET', 'UPDATE-VISIBLE') };
  const { left, limited, results, seconds } = await judged(announcing(100, 2 * MINUTES, 'RateLimit'), patient);
  expect([left, results.verdict, limited]).toEqual([NOTHING, 'conformant', 0]);
  expect(seconds).toBeGreaterThan(200);
});

test('600 requests in 150 seconds, with Retry-After alone, are waited for', async () => {
  const { left, endedEarly, results, seconds } = await judged(announcing(600, 2.5 * MINUTES, 'Retry-After'));
  expect([left, results.verdict, endedEarly]).toEqual([NOTHING, 'conformant', null]);
  expect(Math.round(seconds)).toBe(150);
});

test('maintenance of 100 seconds, with Retry-After, is waited for once', async () => {
  const { left, results, seconds } = await judged(maintenance(300, 100_000, 'seconds'));
  expect([left, results.verdict]).toEqual([NOTHING, 'conformant']);
  expect(Math.round(seconds)).toBe(100);
});
