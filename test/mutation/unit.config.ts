/** The project in which unit tests judge mutants: with the copies in place of the suite, and tests kept as functions. */

import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { UnitOrder } from './judge-units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const COLLECTED = join(ROOT, 'test/mutation/collected-tests.ts');
const { folder } = JSON.parse(readFileSync(process.env['MUTANTS_ORDER'] ?? '', 'utf8')) as UnitOrder;

/** What the copy imports from where it is compiled stands here as it was written. */
const asWritten = (code: string): string =>
  code
    .replaceAll(pathToFileURL(join(ROOT, 'dist')).href, ROOT)
    .replace(/^((?:import|export|\}).*from ['"][./][^'"]*)\.js(?=['"])/gm, '$1.ts');

function load(id: string): string | undefined {
  const name = relative(ROOT, id);
  if (/^test\/(?:unit|proof|sampled)/.test(name))
    return readFileSync(id, 'utf8').replace("from 'vitest'", `from '${COLLECTED}'`);
  const copy = join(folder, name.replace(/\.ts$/, '.js'));
  return /^(?:src|suites)\/.*\.ts$/.test(name) && existsSync(copy) ? asWritten(readFileSync(copy, 'utf8')) : undefined;
}

export default defineConfig({
  root: ROOT,
  plugins: [{ name: 'mutants', enforce: 'pre', load }],
  test: {
    include: ['test/mutation/unit-runner.ts'],
    testTimeout: 7_200_000,
    // In a process that is killed, a loop of a thread ends, too.
    pool: 'threads',
    maxWorkers: 1,
    reporters: ['dot'],
  },
});
