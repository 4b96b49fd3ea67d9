/** Shows a judged run: the console first, then the reports in the folder, what a CI system looks for, and the gate. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutUndefined } from '../contract/lists.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type Comparison, compareRuns, comparisonDocument, differenceOf } from '../regression/comparison.ts';
import { gate, matchExpectations, readExpectations } from '../regression/expectations.ts';
import { historyOf, inOrder, readHistory, sparkline } from '../regression/history.ts';
import { folderOf, type JudgedRun, readRunFolder } from '../regression/own-files.ts';
import { COMMAND } from '../report/command-line.ts';
import { type ConsoleOptions, renderConsole } from '../report/console.ts';
import { renderResults } from '../report/json-files.ts';
import { markdownText, renderSummary } from '../report/markdown.ts';
import type { Difference, Reporter, RunArtefacts } from '../report/model.ts';
import { jsonText, visible } from '../report/text.ts';
import { REPORTERS, type WrittenReports, writeReportFiles } from '../report/write-reports.ts';
import { isInFolder } from '../run/disk.ts';
import { JOURNAL_FILE } from '../run/journal.ts';
import { sentenceOf } from '../run/run.ts';
import type { OUTPUT, Settings, ValuesOf } from '../settings/table.ts';
import type { Results } from '../verdict/results.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from './terminal.ts';

/** What a run is compared with, and how it is shown. */
export interface OutputSettings extends ValuesOf<typeof OUTPUT>, Partial<Pick<Settings, 'repeated'>> {}

/** Where the reports of a run go, and how it is printed. */
type PrintSettings = Pick<OutputSettings, 'reportDir' | 'quiet' | 'json' | 'repeated'>;

/**
 * Prints the run and writes every report. Never throws: the verdict and the open calls are on the screen before
 * anything is written. Returns the exit code: `code`, unless reports are missing.
 */
export function present(
  judged: RunArtefacts,
  settings: PrintSettings,
  terminal: Terminal,
  code: ExitCode,
  more: readonly Reporter[] = [],
): ExitCode {
  const { reportDir, repeated = judged.repeated } = settings;
  const run: RunArtefacts = { ...judged, folder: reportDir, repeated };
  const isPrinted = attempt(terminal, () => {
    if (settings.json) terminal.out(renderResults(run).trimEnd());
    else terminal.out(consoleOf(run, settings.quiet ? 'quiet' : 'normal', terminal.color));
  });
  if (!isPrinted) {
    for (const line of linesOfRemains(run.results)) terminal.err(line);
    terminal.err(visible(run.results.summary));
  }
  const written = writeReportFiles(settings.reportDir, run, machineOf(terminal).disk, [...REPORTERS, ...more]);
  const isHidden = written.missing.length > 0 && code === EXIT_CODES.conformant;
  const exit = !isPrinted || written.isBroken ? EXIT_CODES.void : isHidden ? EXIT_CODES.incomplete : code;
  if (written.missing.length > 0) terminal.err(missingLine(written, settings.reportDir, terminal));
  else if (!settings.quiet && !settings.json) {
    terminal.out(`Reports written to ${join(settings.reportDir, '/')} (open report.html)`);
  }
  // The gate has already printed a different code.
  if (exit !== code && run.gate !== undefined) terminal.err(`Exit ${exit}, which would have been ${code}.`);
  attempt(terminal, () => presentToActions(run, terminal));
  return exit;
}

/** Prints an error in one line. */
function attempt(terminal: Terminal, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    terminal.err(`A report could not be made: ${sentenceOf(error)}.`);
    return false;
  }
}

const consoleOf = (run: RunArtefacts, detail: ConsoleOptions['detail'], color = false): string =>
  renderConsole(run, { color, detail }).trimEnd();

/** What the run left behind on the target. */
export function linesOfRemains({ possiblyOpen, changed }: Results): readonly string[] {
  return [
    ...possiblyOpen.map((sentence) => `Possibly open: ${visible(sentence)}.`),
    ...changed.map((sentence) => `Changed and not restored: ${visible(sentence)}.`),
  ];
}

function missingLine({ missing }: WrittenReports, folder: string, terminal: Terminal): string {
  const isLeft = machineOf(terminal).disk.read(join(folder, JOURNAL_FILE)) !== null;
  const remedy = isLeft
    ? `${COMMAND} report ${folder} makes them again, as far as the journal goes`
    : 'the journal is gone, too';
  return `Not all reports could be written to ${folder}: ${missing.map(visible).join('; ')}; ${remedy}.`;
}

/** Writes the step summary of GitHub Actions; does nothing elsewhere. */
function presentToActions(run: RunArtefacts, terminal: Terminal): void {
  const { env } = terminal.environment();
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') appendFileSync(summary, renderSummary(run));
}

/** Reads what a run is compared with: the baseline and the expectations that the settings name. Throws `UsageError`. */
export function readGateFiles({ baseline, expect, history, reportDir }: OutputSettings) {
  // A retried job would compare the new release with itself; also, each run moves the earlier reports.
  if (baseline !== undefined && isInFolder(reportDir, folderOf(baseline))) {
    throw new UsageError(
      `--baseline ${baseline} is in the folder that this run writes`,
      'keep a copy of the report folder of the earlier release, or choose another --report-dir',
    );
  }
  return withoutUndefined({
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    expectations: expect === undefined ? undefined : readExpectations(expect),
    earlier: history === undefined ? undefined : readHistory(history),
  });
}

/** Reads the baseline. Throws `UsageError` if it judged nothing: every later run would look equal or worse. */
function readBaseline(folder: string): JudgedRun {
  const run = readRunFolder(folder);
  const { endedEarly, questions } = run.results;
  if (endedEarly === null || questions.answered > 0) return run;
  throw new UsageError(
    `--baseline ${folder} judged nothing: ${endedEarly}`,
    'name the report folder of a run that reached its target',
  );
}

/** Names of the files of a comparison. */
export const COMPARISON_FILES = ['comparison.json', 'comparison.md'] as const;

/** The files of a comparison; a run without a baseline has none. */
function comparisonReporters(comparison?: Comparison, difference?: Difference): readonly Reporter[] {
  const [json, markdown] = COMPARISON_FILES;
  return [
    { file: json, render: () => (comparison ? jsonText(comparison) : null) },
    { file: markdown, render: () => (difference ? markdownText(comparisonDocument(difference)) : null) },
  ];
}

/** Writes and prints the reports of a run and the outcome of the gate, and returns the exit code. */
export function presentGated(
  judged: RunArtefacts,
  { baseline, expectations, earlier }: ReturnType<typeof readGateFiles>,
  settings: OutputSettings,
  terminal: Terminal,
): ExitCode {
  const { results } = judged;
  const { json, expect: expectFile, reportDir } = settings;
  const current = { name: reportDir, results };
  const shown = earlier ? { ...judged, trend: sparkline(historyOf([...inOrder(earlier), current])) } : judged;
  const today = new Date().toISOString().slice(0, 10);
  const comparison = baseline && compareRuns(baseline, judged);
  const difference = comparison && differenceOf(comparison);
  const expected = expectations && matchExpectations(expectations, results, today);
  const outcome = gate({ results, expectFile, ...(comparison && { comparison }), ...(expected && { expected }) });
  if (!comparison && !expected) return present(shown, settings, terminal, outcome.code);
  const run = { ...shown, gate: outcome, ...(difference && { difference }) };
  // Standard output holds JSON.
  if (json) attempt(terminal, () => terminal.err(consoleOf(run, 'gate')));
  return present(run, settings, terminal, outcome.code, comparisonReporters(comparison, difference));
}
