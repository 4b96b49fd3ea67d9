/** Every benchmark runs to its end, and prints its ratios; no test asserts a time. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function ran(words: readonly string[]): string {
  const env = { ...process.env, PCS_BENCH_ROUNDS: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  console.log(stdout);
  return stdout;
}

test.each([['command'], ['exploration']])('bench/%s.mjs compares with a bare replay', (name) => {
  expect(ran([`bench/${name}.mjs`])).toMatch(/^ratio +\d+\.\d\d/m);
});

test('the benchmarks of vitest compare a run, redaction and verification', () => {
  const vitest = 'node_modules/vitest/vitest.mjs';
  const out = ran([vitest, 'bench', '--run', '--project', 'short', 'bench/']);
  for (const file of ['run', 'redaction', 'verify']) expect(out).toContain(`bench/${file}.bench.ts`);
  expect(out).toMatch(/\d+\.\d\dx/);
});
