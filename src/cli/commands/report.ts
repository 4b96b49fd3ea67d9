/** `pcs-conformance report DIR`: the reports of a run that lies in a folder, rendered anew. */

import { UsageError } from '../../contract/usage-error.ts';
import type { RunArtefacts } from '../../report/artefacts.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** Options of `report`. */
export interface ReportOptions {
  readonly format?: string;
}

/** What `--format` takes: every file of the folder, and the screen. */
export const FORMATS = ['json', 'choices', 'html', 'junit', 'har', 'ctrf', 'summary', 'badge', 'console'] as const;

type Format = (typeof FORMATS)[number];

const isFormat = (word: string): word is Format => FORMATS.some((format) => format === word);

/**
 * Without a format every file of the folder is written anew; with one the report goes to standard output. Exits 0
 * whatever the verdict of the run was. Throws `UsageError`.
 */
export async function report(folder: string, { format }: ReportOptions, terminal: Terminal): Promise<ExitCode> {
  if (format !== undefined && !isFormat(format)) {
    throw new UsageError(`--format ${JSON.stringify(format)} is no format: use ${FORMATS.join(', ')}.`);
  }
  const { recordedRun } = await import('../recorded-run.ts');
  const run = recordedRun(folder);
  if (format === undefined) {
    const { writeReports } = await import('../write-reports.ts');
    for (const file of await writeReports(folder, run)) terminal.out(file);
  } else {
    const text = await rendered(run, format, terminal);
    if (text === null) throw new UsageError(`This run makes no ${format}: a partial run has none.`);
    terminal.out(text.trimEnd());
  }
  return EXIT_CODES.conformant;
}

/** The report in a format; `null` where this run makes no such report. */
async function rendered(run: RunArtefacts, format: Format, { color = false, width = 100 }: Terminal) {
  if (format === 'console') {
    const { renderConsole } = await import('../../report/console.ts');
    return renderConsole(run, { color, width, quiet: false });
  }
  const { REPORTERS } = await import('../../report/reporters.ts');
  const name = format === 'json' ? 'results' : format;
  const reporter = REPORTERS.find((one) => one.name === name);
  if (reporter === undefined) throw new Error(`no reporter is called ${name}`);
  return reporter.render(run);
}
