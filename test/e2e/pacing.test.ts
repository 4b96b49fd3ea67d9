/** Limits and patience: each flag makes a difference, and no wait is endless. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import type { Clock } from '../../src/client/clock.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { command, emptyFolder } from './command.ts';
import { enveloped, live } from './live.ts';
import { windowed } from './windowed.ts';

const resultsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'conformance-report', 'results.json'), 'utf8'));

describe('a flag that limits the run', () => {
  test('--max-requests ends it at that number, clean-up apart', async () => {
    await live({}, async ({ env, reference }) => {
      const words = ['run', '--profile', 'full', '--concurrency', '1', '--max-requests', '40'];
      const { code, out } = await command(words, env);
      expect([code, out]).toEqual([3, expect.stringContaining('raise --max-requests')]);
      const cleanUp = reference.inspect().requests.slice(40);
      const exempt = [
        'hangUpCall',
        'getTrunk',
        'listNumbers',
        'setInboundAuth',
        'updateTrunk',
        'updateVoiceApplication',
      ];
      expect(cleanUp.filter(({ operation }) => !exempt.includes(operation ?? ''))).toEqual([]);
      expect(cleanUp.length).toBeLessThan(12);
      expect(reference.inspect().callsOpen).toBe(0);
    });
  });

  test('--max-calls places no more calls than that', async () => {
    await live({}, async ({ env, reference }) => {
      const { code, out } = await command(
        ['run', '--profile', 'full', '--only', 'CALL-CREATE-VARIABLES', '--max-calls', '2'],
        env,
      );
      expect([code, out]).toEqual([3, expect.stringContaining('raise --max-calls')]);
      expect(reference.inspect()).toMatchObject({ callsAccepted: 2, callsOpen: 0 });
    });
  });

  test('--rate spreads the requests', async () => {
    const arrivals: number[] = [];
    const wrap =
      (service: Service): Service =>
      (request) => {
        arrivals.push(performance.now());
        return service(request);
      };
    await live({ wrap }, async ({ env }) => {
      await command(['run', '--only', 'LIST-STATUS', '--rate', '20'], env);
      const span = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
      expect(arrivals.length).toBeGreaterThan(2);
      // A gap is 50 ms; the last ones may have been held up less than the first.
      expect(span).toBeGreaterThan((arrivals.length - 1) * 50 - 40);
    });
  });

  test('--max-wait ends the waiting, and the cases stay open', async () => {
    const isList = ({ method, target }: ServiceRequest): boolean => method === 'GET' && target === '/v1/numbers/';
    const wrap =
      (service: Service): Service =>
      async (request) =>
        isList(request) ? enveloped(503, [['Retry-After', '1']]) : service(request);
    for (const [wait, requests] of [
      ['0', 1],
      ['1.5', 2],
    ] as const) {
      await live({ wrap }, async ({ env }) => {
        const folder = emptyFolder();
        const words = ['run', '--only', 'LIST-STATUS/listNumbers', '--max-wait', wait];
        expect((await command(words, env, folder)).code).toBe(3);
        const journal = readFileSync(join(folder, 'conformance-report', 'journal.ndjson'), 'utf8');
        const asked = journal.split('\n').filter((line) => /"sequence":"listNumbers\/read"/.test(line));
        expect([wait, asked.length]).toEqual([wait, requests]);
        expect(resultsIn(folder).verdict).toBe('incomplete');
      });
    }
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
    // Lanes that are told to wait at the same moment wait side by side.
    await new Promise((resolve) => setImmediate(resolve));
    passed = Math.max(passed, until);
  };
  return { slept, now: () => start + passed, sleep, rest: sleep };
}

/** Answers the first request for the list of trunks so, and everything else as it is. */
const once =
  (reply: (clock: Clock) => ServiceReply) =>
  (service: Service, clock: Clock): Service => {
    let count = 0;
    return async (request) => {
      if (request.target !== '/v1/trunks/') return service(request);
      count += 1;
      return count === 1 ? reply(clock) : service(request);
    };
  };

describe('a target that is rate-limiting', () => {
  const forms = sampled<readonly [string, number, (now: number) => readonly (readonly [string, string])[], number]>(
    [
      ['429 with Retry-After in seconds', 429, () => [['Retry-After', '7']] as const, 7_000],
      [
        '503 with Retry-After as a date',
        503,
        (now: number) => [['Retry-After', new Date(now + 9_000).toUTCString()]] as const,
        9_000,
      ],
      ['429 with X-RateLimit-Reset as a delta', 429, () => [['X-RateLimit-Reset', '11']] as const, 11_000],
      [
        '429 with X-RateLimit-Reset as an epoch',
        429,
        (now: number) => [['X-RateLimit-Reset', String(now / 1000 + 13)]] as const,
        13_000,
      ],
      ['408 without a word', 408, () => [], 1_000],
      ['425 without a word', 425, () => [], 1_000],
    ],
    4,
  );

  test.each(forms.items)(`%s is waited for as long as it says (${forms.words})`, async (_, status, headers, wait) => {
    const { service, settings } = createReference();
    const clock = notingClock();
    const wrapped = once(({ now }) => enveloped(status, headers(now())))(service, clock);
    const { results } = await judge(wrapped, optionsFrom(settings), clock);
    expect([results.verdict, clock.slept]).toEqual(['conformant', [wait]]);
  });

  test('and never lets the caller in again is waited for once, not by every operation and clean-up', async () => {
    const { service, settings } = createReference();
    const clock = notingClock();
    let bad = 0;
    const locking: Service = async (request) => {
      const { PCS_ACCESS_TOKEN: ours, PCS_OTHER_ORG_ACCESS_TOKEN: others } = settings;
      if (![`Bearer ${ours}`, `Bearer ${others}`].includes(request.headers['authorization'] ?? '')) bad += 1;
      return bad >= 20 ? enveloped(429) : service(request);
    };
    const before = clock.now();
    const { record, results } = await judge(locking, optionsFrom(settings, { concurrency: 1 }), clock);
    expect(results.verdict).toBe('incomplete');
    expect(record.endedEarly).toContain('rate-limiting this caller');
    // The run gives up once nothing was answered for --max-wait, 300 s, and the next wait would take it past them.
    expect(clock.now() - before).toBe(286_000);
  });

  test('for longer than a minute is not waited for at all', async () => {
    const { service, settings } = createReference();
    const clock = notingClock();
    const wrapped = once(() => enveloped(429, [['Retry-After', '66']]))(service, clock);
    const { results } = await judge(wrapped, optionsFrom(settings), clock);
    expect([results.verdict, clock.slept]).toEqual(['conformant', []]);
  });

  test('and takes 300 writes and 600 reads a minute comes out conformant', async () => {
    const { service, settings } = createReference();
    const clock = notingClock();
    const limited = windowed(service, { writes: 300, reads: 600, window: 60_000 }, clock.now);
    const { results } = await judge(limited.service, optionsFrom(settings), clock);
    expect(results.verdict).toBe('conformant');
    expect(limited.refused()).toBeGreaterThan(0);
    expect(clock.slept.length).toBeGreaterThan(0);
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
      const words = ['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS'];
      const { code, err } = await command(words, env);
      expect(code).toBe(0);
      expect(err).toContain('waiting 1 s after status 404, a call that may still be being set up (at most 2 min 10 s)');
    });
  });

  test('is also waited for over a socket, and each wait is announced', async () => {
    let [asked, refused] = [0, 0];
    const wrap =
      (service: Service): Service =>
      async (request) => {
        asked += 1;
        if (asked % 140 !== 0) return service(request);
        refused += 1;
        return enveloped(429, [['Retry-After', '1']]);
      };
    await live({ wrap }, async ({ env }) => {
      const { code, err } = await command(['run'], env);
      expect(code).toBe(0);
      expect(refused).toBeGreaterThan(0);
      expect(err.match(/waiting 1 s after status 429/g)).toHaveLength(refused);
    });
  });
});
