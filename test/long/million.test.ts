/** A million requests of exploration in four shards: each process stays under the same bound. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, emptyFolder } from '../e2e/command.ts';
import { live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';

const MOST_MEMORY = 300;
const HOURS = 3 * 3_600_000;

test(
  'a million requests in four shards need less than 300 MiB each',
  async () => {
    const folders: string[] = [];
    let sent = 0;
    await live({}, async ({ env }) => {
      // One after the other, since they share the resources of one service.
      for (const index of [1, 2, 3, 4]) {
        const words = [
          'run',
          '--profile',
          'full',
          '--explore',
          '1000000',
          '--shard',
          `${index}/4`,
          '--quiet',
          '--json',
        ];
        const { code, peak, out, folder } = await measured(words, env);
        expect([code, peak < MOST_MEMORY]).toEqual([3, true]);
        sent += JSON.parse(out).counts.requests;
        folders.push(join(folder, 'conformance-report'));
      }
    });
    expect(sent).toBeGreaterThanOrEqual(1_000_000);
    const merged = await command(['merge', ...folders, '--quiet', '--json'], {}, emptyFolder());
    expect(merged.code).toBe(0);
    expect(JSON.parse(merged.out).counts.requests).toBeGreaterThan(1_000_000);
  },
  HOURS,
);
