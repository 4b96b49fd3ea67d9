/** One folder for everything that the tests of a run write, removed when they are over; what did not run; and the compiled schemas. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSchemas, isStale } from '../scripts/compile-schemas.mjs';
import { NOT_RUN, notRunSentences } from './programs.ts';

/** Makes the folder the temporary one of this process and of all that it starts; returns what removes it. */
export default function setup(): () => void {
  if (isStale()) compileSchemas();
  const before = process.env['TMPDIR'];
  const root = mkdtempSync(join(tmpdir(), 'pcs-tests-'));
  process.env['TMPDIR'] = root;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const noted = join(root, NOT_RUN);
    if (existsSync(noted)) {
      for (const sentence of notRunSentences(readFileSync(noted, 'utf8'))) console.error(sentence);
    }
    rmSync(root, { recursive: true, force: true });
  };
}
