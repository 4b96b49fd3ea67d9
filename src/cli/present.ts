/** Shows a judged run: the reports in the folder, the console, and what a CI system looks for. */

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderAnnotations } from '../report/annotations.ts';
import type { RunArtefacts } from '../report/artefacts.ts';
import { renderConsole } from '../report/console.ts';
import { renderResults } from '../report/json-files.ts';
import { renderSummary } from '../report/summary.ts';
import { writeReports } from '../report/write-reports.ts';
import type { Settings } from '../settings/settings.ts';
import type { Terminal } from './terminal.ts';

/** Writes every report and prints the run; throws `UsageError` if the folder cannot be written. */
export async function present(judged: RunArtefacts, settings: Settings, terminal: Terminal): Promise<void> {
  const run: RunArtefacts = { ...judged, folder: settings.reportDir };
  await writeReports(settings.reportDir, run);
  await presentToActions(run, terminal);
  if (settings.json) {
    terminal.out(renderResults(run.results).trimEnd());
    return;
  }
  const { color = false, width = 100 } = terminal;
  terminal.out(renderConsole(run, { color, width, quiet: settings.quiet }).trimEnd());
  if (!settings.quiet) terminal.out(`Reports written to ${join(settings.reportDir, '/')} (open report.html)`);
}

/** GitHub Actions shows the summary of a step and annotates its lines; elsewhere nothing happens. */
async function presentToActions(run: RunArtefacts, terminal: Terminal): Promise<void> {
  const { env } = terminal.environment();
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await appendFile(summary, renderSummary(run));
  const annotations = env['GITHUB_ACTIONS'] === 'true' ? renderAnnotations(run).trimEnd() : '';
  if (annotations !== '') terminal.err(annotations);
}
