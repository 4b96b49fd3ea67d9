/** Limits and patience: each flag makes a difference, a target that asks for a wait gets it, and no wait is endless. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { ServiceReply } from '../../fixtures/service/types.ts';
import type { Clock } from '../../src/client/client-options.ts';
import { enveloped } from '../e2e/live.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { World } from './simulation.ts';

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
  const { run, disk } = worldWith('/v1/numbers/', () => enveloped(503, [['Retry-After', '1']]));
  const { code, screen } = await run(['run', '--only', 'LIST-STATUS/listNumbers', '--max-wait', wait]);
  expect([code, screen]).toEqual([3, expect.stringContaining('raise --max-wait')]);
  const journal = disk.files.get('conformance-report/journal.ndjson')?.text ?? '';
  expect(journal.match(/"sequence":"listNumbers\/read"/g)).toHaveLength(requests);
});

test('each wait is announced, that for a call with its bound', async () => {
  const [limited, unknown] = [new Set<string>(), new Set<string>()];
  const first = (seen: Set<string>, target: string): boolean => seen.size < seen.add(target).size;
  const { run } = worldWith(/^\/v1\/(?:trunks\/|calls\/[^/]+\/hangup)$/, (target) => {
    if (target === '/v1/trunks/') return first(limited, target) ? enveloped(429, [['Retry-After', '1']]) : null;
    return first(unknown, target) ? enveloped(404) : null;
  });
  const { code, screen } = await run(['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS,LIST-STATUS']);
  expect(code).toBe(0);
  expect(screen.match(/waiting 1 s after status 429/g)).toHaveLength(1);
  expect(screen).toContain('waiting 1 s after status 404, a call that may still be connecting (at most 5 min 0 s)');
});

/** A world whose target answers requests with a valid credential to such a path so, unless `null`. */
function worldWith(path: string | RegExp = /^$/, reply: (target: string) => ServiceReply | null = () => null) {
  const world = new World({
    request: ({ reference: { settings } }, when, { target, headers }) => {
      const isMeant = typeof path === 'string' ? target === path : path.test(target);
      const isValid = headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`;
      return when === 'before' && isMeant && isValid ? reply(target) : null;
    },
  });
  return { reference: world.reference, disk: world.disk, run: (words: readonly string[]) => world.run(words) };
}

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
