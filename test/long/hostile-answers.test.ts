/** Answers that cost their reader most: each full run stays within its memory, leaves no call open, and ends by itself. */

import { expect, test } from 'vitest';
import { live } from '../e2e/live.ts';
import { measured } from '../e2e/measured.ts';
import { HOSTILE_ANSWERS } from './hostile-answers.ts';

/** Mebibytes: lists in lists of 4 MiB, the costliest of all, take 740 before the engine collects what is garbage. */
const MOST_MEMORY = 1_024;
/** Mebibytes: a list of 4 MiB of `{}` does not fit into half of it. */
const HEAP = 256;

test.each(HOSTILE_ANSWERS)('$name', async ({ wrap, env: own }) => {
  const hostile = (service: Parameters<typeof wrap>[0], { settings }: { settings: { PCS_ACCESS_TOKEN: string } }) =>
    wrap(service, settings.PCS_ACCESS_TOKEN);
  await live({ wrap: hostile }, async ({ env, reference }) => {
    const run = await measured(['run', '--profile', 'full', '--quiet', '--max-wait', '2'], { ...env, ...own }, HEAP);
    expect([0, 1, 3]).toContain(run.code);
    expect(run.out).toMatch(/CONFORMANT|INCOMPLETE/);
    expect(reference.inspect().callsOpen).toBe(0);
    expect(run.peak).toBeLessThan(MOST_MEMORY);
  });
});
