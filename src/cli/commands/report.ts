/** `pcs-conformance report DIR`: renders the reports of a recorded run again. */

import { UsageError } from '../../contract/usage-error.ts';
import type { RunArtefacts } from '../../report/model.ts';
import { recordedRun } from '../../report/recorded-run.ts';
import { REPORTERS, writeReports } from '../../report/write-reports.ts';
import type { REPORT_FORMATS } from '../flag-options.ts';
import { printConsole } from '../present.ts';
import { inLockedFolder } from '../report-folder.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from '../terminal.ts';

interface ReportOptions {
  readonly format?: (typeof REPORT_FORMATS)[number];
  readonly verbose?: boolean;
}

/**
 * Writes every file of the folder again; with a format prints that report instead. Exits 0 whatever the verdict of the
 * run was. Throws `UsageError`.
 */
export async function report(
  folder: string,
  { format, verbose = false }: ReportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const run = recordedRun(folder);
  if (format === undefined) {
    await inLockedFolder(folder, machineOf(terminal), () => writeAll(folder, run, terminal));
  } else if (format === 'console') {
    printConsole(run, { verbose }, terminal);
  } else {
    const name = format === 'json' ? 'results' : format;
    const text = REPORTERS.find((one) => one.name === name)?.render(run) ?? null;
    if (text === null)
      throw new UsageError(`This run makes no ${format}: a partial run has none`, 'choose another --format');
    terminal.out(text.trimEnd());
  }
  return EXIT_CODES.conformant;
}

function writeAll(folder: string, run: RunArtefacts, terminal: Terminal): void {
  const { files, missing } = writeReports(folder, run, machineOf(terminal).disk);
  for (const file of files) terminal.out(file);
  if (missing.length > 0)
    throw new UsageError(
      `Not all reports could be written to ${folder}: ${missing.join('; ')}`,
      'make the folder writable',
    );
}
