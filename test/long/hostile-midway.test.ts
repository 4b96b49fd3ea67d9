/**
 * Targets that turn hostile at the thirteenth request: with a heap of 128 MiB each run stays within 300 MiB (V8 takes more
 * where it may), and ends within 120 seconds or says beforehand for how long it may wait.
 */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ServiceReply } from '../../fixtures/service/types.ts';
import { enveloped, live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const bomb = Buffer.concat(Array.from({ length: 16 }, () => gzipSync(Buffer.alloc(64 * MEBIBYTE, ' '))));
const nested = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
const fields = Array.from({ length: 6_000 }, (_, at) => [`x${at.toString(36)}`, 'v'] as const);

test.each<[string, (reply: ServiceReply) => ServiceReply, readonly number[]]>([
  ['6,000 header fields', (reply) => ({ ...reply, headers: [...reply.headers, ...fields] }), [0]],
  ['two million nested lists', (reply) => ({ ...reply, headers: [JSON_TYPE], body: nested }), [1, 3]],
  [
    'compression bombs',
    (reply) => ({ ...reply, headers: [JSON_TYPE, ['Content-Encoding', 'gzip']], body: bomb }),
    [1, 3],
  ],
  ['Retry-After: 65 on everything', () => enveloped(429, [['Retry-After', '65']]), [3]],
  ['silence', (reply) => ({ ...reply, fate: 'hang' }), [3]],
])('%s', async (_, hostile, codes) => {
  let count = 0;
  const wrap: NonNullable<Parameters<typeof live>[0]['wrap']> = (service) => async (request) => {
    const reply = await service(request);
    count += 1;
    return count < 13 ? reply : hostile(reply);
  };
  await live({ wrap }, async ({ env }) => {
    const started = Date.now();
    const { code, out, err, peak } = await measured(['run', '--profile', 'full'], env);
    expect(codes).toContain(code);
    expect(out).toMatch(/CONFORMANT|INCOMPLETE/);
    expect(peak).toBeLessThan(300);
    // Waiting for the limit and hanging up the calls have a bound each, which each wait names.
    const bounds = new Set(
      [...err.matchAll(/after status 429.* \(at most (\d+) min/g)].map(([, minutes]) => Number(minutes)),
    );
    const announced = [...bounds].reduce((sum, minutes) => sum + 60 * minutes, 0);
    expect((Date.now() - started) / 1_000).toBeLessThan(120 + announced);
  });
});
