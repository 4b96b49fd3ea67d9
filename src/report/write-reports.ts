/** Puts the reports of a run into its report folder. */

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../contract/usage-error.ts';
import { makeFolder } from '../run/folder.ts';
import type { Reporter, RunArtefacts } from './artefacts.ts';
import { REPORTERS } from './reporters.ts';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'a folder of that name is in the way',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
};

function refusal(path: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause';
  const why = CAUSES[code] ?? `writing ended with ${code}`;
  return new UsageError(`The reports cannot be written to ${path}: ${why}; choose another --report-dir.`, {
    cause: error,
  });
}

function made(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw refusal(folder, error);
  }
}

/** Writes beside the file and renames, so that nobody ever reads half a report. */
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
 * Writes every report of the run into the folder, which is made where it is not there, and says which files stand there
 * now. A file of an earlier run that this run does not make is removed: a badge must not outlive its verdict. Throws
 * `UsageError`.
 */
export async function writeReports(
  folder: string,
  run: RunArtefacts,
  reporters: readonly Reporter[] = REPORTERS,
): Promise<readonly string[]> {
  made(folder);
  const written: string[] = [];
  for (const reporter of reporters) {
    const file = join(folder, reporter.file);
    const text = reporter.render(run);
    try {
      if (text === null) await rm(file, { force: true });
      else await replace(file, text);
    } catch (error) {
      throw refusal(file, error);
    }
    if (text !== null) written.push(file);
  }
  return written;
}

/** Makes the folder and tries to write in it, before a run that could not be reported; throws `UsageError`. */
export async function demandFolder(folder: string): Promise<void> {
  const trial = join(folder, `.${process.pid}.tmp`);
  made(folder);
  try {
    await writeFile(trial, '');
    await rm(trial, { force: true });
  } catch (error) {
    throw refusal(folder, error);
  }
}
