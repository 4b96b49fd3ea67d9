/** Writes the reports of a run to its report folder. */

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { makeFolder } from '../run/folder.ts';
import type { Reporter, RunArtefacts } from './artefacts.ts';
import { REPORTERS } from './reporters.ts';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'a folder of that name is in the way',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
};

/** Does something with a file or folder; an error becomes a `UsageError` that names it. */
async function writing<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause';
    const why = CAUSES[code] ?? `writing ended with ${code}`;
    throw new UsageError(`The reports cannot be written to ${path}: ${why}; choose another --report-dir.`, {
      cause: error,
    });
  }
}

/** Writes a file next to it and renames that, so that no reader sees half a report. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, 'utf8');
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Writes every report of the run to the folder, which is made if necessary, and resolves with the files. A file of an
 * earlier run that this run does not make is removed: a badge must not outlive its verdict. Throws `UsageError`.
 */
export async function writeReports(
  folder: string,
  run: RunArtefacts,
  reporters: readonly Reporter[] = REPORTERS,
): Promise<readonly string[]> {
  await writing(folder, () => makeFolder(folder));
  const written: string[] = [];
  for (const reporter of reporters) {
    const file = join(folder, reporter.file);
    const text = reporter.render(run);
    await writing(file, () => (text === null ? rm(file, { force: true }) : replace(file, text)));
    if (text !== null) written.push(file);
  }
  return written;
}

/** Makes the folder and tries to write to it, before a run that could not be reported. Throws `UsageError`. */
export async function demandFolder(folder: string): Promise<void> {
  await writing(folder, async () => {
    makeFolder(folder);
    const trial = join(folder, `.${process.pid}.tmp`);
    await writeFile(trial, '');
    await rm(trial, { force: true });
  });
}
