/** Programs of the machine that some tests need; what is not run for lack of one is named at the end of the run. */

import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasBrowser } from '../scripts/chromium.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** File in the temporary folder of all tests with what was not run: a program and a test file on each line. */
export const NOT_RUN = 'not-run';

const starts = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/**
 * Whether the tests of a file have to be skipped because a program is not installed; notes it for the end of the run.
 * In a pipeline that is an error: there the sentence would be overlooked.
 */
export function lacks(program: string, file: string, isThere: boolean = starts(program)): boolean {
  if (isThere) return false;
  const name = relative(ROOT, fileURLToPath(file));
  if (process.env['CI'] === 'true') throw new Error(`${name} needs ${program}: install it, as .ci/run does`);
  appendFileSync(join(tmpdir(), NOT_RUN), `${program}\t${name}\n`);
  return true;
}

/** The same for a browser. */
export const lacksBrowser = (file: string): boolean => lacks('Chrome or Chromium', file, hasBrowser());

/** One sentence for each program that was missing, with the files whose tests need it. */
export function notRunSentences(noted: string): readonly string[] {
  const pairs = [...new Set(noted.split('\n').filter(Boolean))].map((line) => line.split('\t') as [string, string]);
  return [...new Set(pairs.map(([program]) => program))].sort().map((program) => {
    const files = pairs.filter(([one]) => one === program).map(([, file]) => file);
    return `${program} is not installed, so these tests did not run: ${files.sort().join(', ')}.`;
  });
}
