/** Runs that cost much, in full size. */

import { expect, test } from 'vitest';
import { commandProcess } from '../e2e/command.ts';
import { live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';
import { proveVariant } from '../selftest/prove.ts';

/** Mebibytes. */
const MOST_MEMORY = 300;

test('a long exploration sends thousands of requests within the cap on calls, and a small heap is enough for it', async () => {
  await live({}, async ({ reference, env }) => {
    const heap = { ...env, NODE_OPTIONS: '--max-old-space-size=128' };
    const { code } = await commandProcess(['run', '--profile', 'full', '--explore', '5000', '--quiet'], heap);
    const { requests, callsAccepted, callsOpen } = reference.inspect();
    expect([code, requests.length > 5_000, callsAccepted <= 12, callsOpen]).toEqual([0, true, true, 0]);
  });
});

test('errors of 200,000 levels are a finding, and fill no memory', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const wrap: NonNullable<Parameters<typeof live>[0]['wrap']> = (service) => async (request) => {
    const reply = await service(request);
    return reply.status < 400 || reply.body === null
      ? reply
      : { ...reply, body: `${String(reply.body).replace(/}$/, '')},"deep":${deep}}` };
  };
  await live({ wrap }, async ({ env }) => {
    const run = await measured(['run', '--profile', 'full', '--max-wait', '2'], env);
    expect([run.code, run.out]).toEqual([1, expect.stringContaining('it has more than 10,000 levels')]);
    expect(run.peak).toBeLessThan(MOST_MEMORY);
  });
});

test('a lawful service may send three megabytes of numbers, uncompressed', async () => {
  expect(await proveVariant({ lists: 'three-megabytes' }, { longList: 32_000 })).toEqual({ kind: 'holds' });
});
