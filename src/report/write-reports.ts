/** Every file of the report folder, in order, and writing them. */

import { join } from 'node:path';
import { renderChoices } from '../run/choices.ts';
import { causeOf, type Disk, REAL_DISK } from '../run/disk.ts';
import { renderHtml } from './html/page-writer.ts';
import { renderBadge, renderHar, renderResults } from './json-files.ts';
import { renderJunit } from './junit.ts';
import { renderSummary } from './markdown.ts';
import type { Reporter, RunArtefacts } from './model.ts';
import { renderSarif } from './sarif.ts';

/** The reporters; each makes one file. */
export const REPORTERS: readonly Reporter[] = [
  { file: 'results.json', render: renderResults },
  // Choices that were not read have no file.
  { file: 'choices.json', render: ({ choices }) => (choices === undefined ? null : renderChoices(choices)) },
  { file: 'report.html', render: renderHtml },
  { file: 'junit.xml', render: renderJunit },
  { file: 'results.sarif', render: renderSarif },
  { file: 'evidence.har', render: renderHar },
  { file: 'summary.md', render: renderSummary },
  { file: 'badge.json', render: ({ results }) => renderBadge(results) },
];

/** The outcome of writing reports: the files, a clause for each missing one, and whether a reporter broke. */
export type WrittenReports = ReturnType<typeof writeReportFiles>;

/**
 * Writes every report of the run to the folder, which is made if necessary. A report that fails does not stop the
 * others. A file of an earlier run that this run does not make is removed: a badge must not outlive its verdict.
 */
export function writeReportFiles(
  folder: string,
  run: RunArtefacts,
  disk: Disk = REAL_DISK,
  reporters: readonly Reporter[] = REPORTERS,
) {
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
