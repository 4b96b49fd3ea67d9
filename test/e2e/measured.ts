/** Runs the compiled command and measures the peak of its memory. */

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandProcess, emptyFolder, type Finished } from './command.ts';

/** What a finished command left, and the most memory that its process held, in MiB. */
export interface Measured extends Finished {
  readonly peak: number;
  readonly folder: string;
}

/** Written by the process itself as it ends; on Linux and macOS `maxRSS` is in KiB. */
const METER = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`;

/**
 * What a process may hold in its heap, in MiB; one that needs more ends with an error. On a machine with gigabytes V8 leaves
 * garbage: a run that holds 24 MiB at its end had peaked at 399.
 */
const HEAP = 128;

/** Runs the command to its end in a folder and a process of its own; `heap` in MiB. */
export async function measured(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  heap = HEAP,
): Promise<Measured> {
  const PEAK_FILE = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-peak-')), 'peak');
  const NODE_OPTIONS = `--max-old-space-size=${heap} --import=data:text/javascript,${encodeURIComponent(METER)}`;
  const folder = emptyFolder();
  const finished = await commandProcess(words, { ...env, PEAK_FILE, NODE_OPTIONS }, folder);
  return { ...finished, folder, peak: Number(readFileSync(PEAK_FILE, 'utf8')) / 1024 };
}
