/** Limits and patience: each flag makes a difference, and no wait is endless. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import type { Clock } from '../../src/client/clock.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { command, emptyFolder } from './command.ts';
import { enveloped, live } from './live.ts';
import { windowed } from './windowed.ts';

describe('a flag that limits the run', () => {
  test('--max-calls places no more calls than that', async () => {
    await live({}, async ({ env, reference }) => {
      const words = ['run', '--profile', 'full', '--only', 'CALL-CREATE-VARIABLES', '--max-calls', '2'];
      const { code, out } = await command(words, env);
      expect([code, out]).toEqual([3, expect.stringContaining('raise --max-calls')]);
      expect(reference.inspect()).toMatchObject({ callsAccepted: 2, callsOpen: 0 });
    });
  });

  test('--rate spreads the requests', async () => {
    const { service, settings } = createReference();
    const clock = notingClock();
    await judge(service, optionsFrom(settings, { only: ['LIST-STATUS'], rate: 20 }), clock);
    expect(clock.slept.length).toBeGreaterThan(1);
    expect(clock.slept.every((slept) => slept > 0 && slept <= 50)).toBe(true);
  });

  test.each([
    ['0', 1],
    ['1.5', 2],
  ])('--max-wait %s ends the waiting, and the cases stay open', async (wait, requests) => {
    const isList = ({ method, target }: ServiceRequest): boolean => method === 'GET' && target === '/v1/numbers/';
    const wrap =
      (service: Service): Service =>
      async (request) =>
        isList(request) ? enveloped(503, [['Retry-After', '1']]) : service(request);
    await live({ wrap }, async ({ env }) => {
      const folder = emptyFolder();
      const words = ['run', '--only', 'LIST-STATUS/listNumbers', '--max-wait', wait];
      expect(await command(words, env, folder)).toMatchObject({ code: 3 });
      const journal = readFileSync(join(folder, 'conformance-report', 'journal.ndjson'), 'utf8');
      expect(journal.match(/"sequence":"listNumbers\/read"/g)).toHaveLength(requests);
    });
  });
});

/** A clock that notes what is slept and passes only so. */
function notingClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  const start = Date.UTC(2026, 0, 1);
  let passed = 0;
  const sleep = async (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
    const until = passed + milliseconds;
    // Whoever is told to wait at the same moment waits side by side.
    await new Promise((resolve) => setImmediate(resolve));
    passed = Math.max(passed, until);
  };
  return { slept, now: () => start + passed, sleep, rest: sleep };
}

/** Answers the first request for the list of trunks so, and everything else as it is. */
function once(reply: () => ServiceReply, service: Service): Service {
  let count = 0;
  return async (request) => {
    if (request.target !== '/v1/trunks/') return service(request);
    count += 1;
    return count === 1 ? reply() : service(request);
  };
}

describe('a target that is rate-limiting', () => {
  type Form = readonly [string, number, (now: number) => readonly (readonly [string, string])[], readonly number[]];

  test.each<Form>([
    ['429 with Retry-After in seconds', 429, () => [['Retry-After', '7']], [7_000]],
    ['503 with Retry-After as a date', 503, (now) => [['Retry-After', new Date(now + 9_000).toUTCString()]], [9_000]],
    ['429 with X-RateLimit-Reset as a delta', 429, () => [['X-RateLimit-Reset', '11']], [11_000]],
    [
      '429 with X-RateLimit-Reset as an epoch',
      429,
      (now) => [['X-RateLimit-Reset', String(now / 1000 + 13)]],
      [13_000],
    ],
    ['408 without a word', 408, () => [], [1_000]],
    ['425 without a word', 425, () => [], [1_000]],
    ['429 for longer than a minute', 429, () => [['Retry-After', '66']], []],
  ])('%s is waited for as long as it says, up to a minute', async (_, status, headers, slept) => {
    const { service, settings } = createReference();
    const clock = notingClock();
    const limited = once(() => enveloped(status, headers(clock.now())), service);
    const { results } = await judge(limited, optionsFrom(settings, { profile: 'read-only' }), clock);
    expect([results.verdict, clock.slept]).toEqual(['conformant', slept]);
  });

  test('and takes 300 writes and 600 reads a minute comes out conformant', async () => {
    const { service, settings } = createReference();
    const clock = notingClock();
    const limited = windowed(service, { writes: 300, reads: 600, window: 60_000 }, clock.now);
    const { results } = await judge(limited.service, optionsFrom(settings), clock);
    expect([results.verdict, limited.refused() > 0, clock.slept.length > 0]).toEqual(['conformant', true, true]);
  });

  test('is also waited for over a socket, and each wait is announced', async () => {
    let refused = 0;
    const wrap = (service: Service): Service =>
      once(() => {
        refused += 1;
        return enveloped(429, [['Retry-After', '1']]);
      }, service);
    await live({ wrap }, async ({ env }) => {
      const { code, err } = await command(['run', '--only', 'LIST-STATUS'], env);
      expect([code, refused]).toEqual([0, 1]);
      expect(err.match(/waiting 1 s after status 429/g)).toHaveLength(1);
    });
  });

  test('and does not know a call at once is waited for, and the wait is announced with its bound', async () => {
    const known = new Set<string>();
    const wrap =
      (service: Service): Service =>
      async (request) => {
        const isFirst = request.target.endsWith('/hangup') && !known.has(request.target);
        known.add(request.target);
        return isFirst ? enveloped(404) : service(request);
      };
    await live({ wrap }, async ({ env }) => {
      const { code, err } = await command(['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS'], env);
      expect(code).toBe(0);
      expect(err).toContain('waiting 1 s after status 404, a call that may still be being set up (at most 2 min 10 s)');
    });
  });
});
