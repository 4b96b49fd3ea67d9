/** What takes minutes: runs with the default patience, in real time. */

import { describe, expect, test } from 'vitest';
import { type Surroundings, windowed } from '../../fixtures/gateways/gateways.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { UNREACHABLE, USELESS } from '../e2e/hostile-targets.ts';
import { live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';

const CREDENTIAL = { PCS_ACCESS_TOKEN: 'pcs_org_Fake0123456789abcdef' };

describe('a broken target, with the timeouts of every run', () => {
  test.each([...UNREACHABLE, ...USELESS])('$name', async ({ open, says, code }) => {
    const target = await open();
    try {
      const run = await measured(['run', '--base-url', target.url, '--quiet'], CREDENTIAL);
      expect([run.code, run.err, run.out]).toEqual([code, '', expect.stringMatching(says)]);
      expect(run.peak).toBeLessThan(300);
    } finally {
      await target.close();
    }
  });
});

describe('a target with limits', () => {
  test('of 300 requests a minute comes out conformant', async () => {
    let refused = 0;
    const wrap = (service: Service): Service => {
      const limited = windowed(300, 60_000, 'seconds')({ now: Date.now } as Surroundings)(service);
      return async (request) => {
        const reply = await limited(request);
        refused += reply.status === 429 ? 1 : 0;
        return reply;
      };
    };
    await live({ wrap }, async ({ env }) => {
      expect((await measured(['run', '--profile', 'full'], env)).code).toBe(0);
      expect(refused).toBeGreaterThan(0);
    });
  });
});

describe('a slow target', () => {
  test('that dials for half a minute and answers everything else after a second is conformant', async () => {
    const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const wrap =
      (service: Service): Service =>
      async (request) => {
        await pause(1_000);
        return service(request);
      };
    const reference = { policy: { dialSeconds: 30 }, wait: pause };
    await live({ reference, wrap }, async ({ env }) => {
      expect((await measured(['run', '--profile', 'full'], env)).code).toBe(0);
    });
  });
});
