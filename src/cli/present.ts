/** Shows a judged run: the console first, then the reports in the folder, and what a CI system looks for. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutUndefined } from '../contract/lists.ts';
import { renderAnnotations } from '../report/build-servers.ts';
import { renderConsole } from '../report/console.ts';
import { renderResults } from '../report/json-files.ts';
import type { Reporter, RunArtefacts } from '../report/model.ts';
import { renderSummary } from '../report/summary.ts';
import { visible } from '../report/text.ts';
import { REPORTERS, type WrittenReports, writeReports } from '../report/write-reports.ts';
import { JOURNAL_FILE } from '../run/journal.ts';
import { sentenceOf } from '../run/run.ts';
import type { OUTPUT, Settings, ValuesOf } from '../settings/table.ts';
import type { Results } from '../verdict/results.ts';
import { EXIT_CODES, type ExitCode, machineOf, type Terminal } from './terminal.ts';

/** What a run writes and prints. */
export interface OutputSettings extends ValuesOf<typeof OUTPUT>, Pick<Settings, 'settingsFile'> {}

/**
 * Prints the run and writes every report. Nothing here throws: the verdict and the open calls are on the screen before
 * anything is written. Returns the exit code: `code`, unless reports are missing.
 */
export function present(
  judged: RunArtefacts,
  settings: OutputSettings,
  terminal: Terminal,
  code: ExitCode,
  more: readonly Reporter[] = [],
): ExitCode {
  const { reportDir, settingsFile } = settings;
  const run: RunArtefacts = { ...judged, folder: reportDir, ...withoutUndefined({ settingsFile }) };
  const isPrinted = attempt(terminal, () => print(run, settings, terminal));
  if (!isPrinted) {
    const { verdict, summary } = run.results;
    for (const line of linesOfRemains(run.results)) terminal.err(line);
    terminal.err(`${verdict.toUpperCase()}: ${visible(summary)}`);
  }
  const written = writeReports(settings.reportDir, run, machineOf(terminal).disk, [...REPORTERS, ...more]);
  if (written.missing.length > 0) terminal.err(missingLine(written, settings.reportDir, terminal));
  else if (!settings.quiet && !settings.json) {
    terminal.out(`Reports written to ${join(settings.reportDir, '/')} (open report.html)`);
  }
  attempt(terminal, () => presentToActions(run, terminal));
  if (!isPrinted || written.isBroken) return EXIT_CODES.void;
  return written.missing.length > 0 && code === EXIT_CODES.conformant ? EXIT_CODES.incomplete : code;
}

/** An error is printed in one line. */
function attempt(terminal: Terminal, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    terminal.err(`A report could not be made: ${sentenceOf(error)}.`);
    return false;
  }
}

function print(run: RunArtefacts, { json, quiet }: OutputSettings, terminal: Terminal): void {
  if (json) terminal.out(renderResults(run).trimEnd());
  else printConsole(run, quiet, terminal);
}

/** Prints the run as the console shows it. */
export function printConsole(run: RunArtefacts, quiet: boolean, { out, color = false, width = 100 }: Terminal): void {
  out(renderConsole(run, { color, width, quiet }).trimEnd());
}

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
    ? `npx pcs-conformance report ${folder} makes them again, as far as the journal goes`
    : 'the journal is gone, too';
  return `Not all reports could be written to ${folder}: ${missing.map(visible).join('; ')}; ${remedy}.`;
}

/** GitHub Actions shows the summary of a step and annotates its lines; elsewhere nothing happens. */
function presentToActions(run: RunArtefacts, terminal: Terminal): void {
  const { env } = terminal.environment();
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') appendFileSync(summary, renderSummary(run));
  const annotations = env['GITHUB_ACTIONS'] === 'true' ? renderAnnotations(run).trimEnd() : '';
  if (annotations !== '') terminal.err(annotations);
}
