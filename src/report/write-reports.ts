/** Writes the reports of a run to its report folder. */

import { join } from 'node:path';
import { causeOf, type Disk, REAL_DISK } from '../run/disk.ts';
import type { Reporter, RunArtefacts } from './artefacts.ts';
import { REPORTERS } from './reporters.ts';

/** What became of the reports. */
export interface WrittenReports {
  readonly files: readonly string[];
  /** One clause for each that is missing: the disk rejected it, or the reporter broke. */
  readonly missing: readonly string[];
  /** Whether a reporter broke, which is a defect of the suite. */
  readonly isBroken: boolean;
}

/**
 * Writes every report of the run to the folder, which is made if necessary. A report that cannot be made or written does
 * not hinder the others. A file of an earlier run that this run does not make is removed: a badge must not outlive its
 * verdict.
 */
export function writeReports(
  folder: string,
  run: RunArtefacts,
  disk: Disk = REAL_DISK,
  reporters: readonly Reporter[] = REPORTERS,
): WrittenReports {
  const files: string[] = [];
  const missing = new Set<string>();
  let isBroken = false;
  for (const reporter of reporters) {
    const file = join(folder, reporter.file);
    try {
      disk.makeFolder(folder);
      const text = reporter.render(run);
      if (text === null) disk.remove(file);
      else disk.replace(file, text);
      if (text !== null) files.push(file);
    } catch (error) {
      const cause = causeOf(error);
      isBroken ||= cause === null;
      missing.add(cause ?? `${reporter.file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { files, missing: [...missing], isBroken };
}
