/** The gate of a run: baseline and expectations are read before the run, and the outcome is shown after it. */

import { UsageError } from '../contract/usage-error.ts';
import { type Comparison, compareRuns } from '../regression/comparison.ts';
import {
  differenceOf,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from '../regression/comparison-report.ts';
import { type Expectation, matchExpectations, readExpectations } from '../regression/expectations.ts';
import { type GateOutcome, gate } from '../regression/gate.ts';
import { type JudgedRun, readRunFolder } from '../regression/run-folder.ts';
import type { Difference, Reporter, RunArtefacts } from '../report/artefacts.ts';
import { type OutputSettings, present } from './present.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What a run is compared with; either may be absent. */
export interface GateFiles {
  readonly baseline?: JudgedRun;
  readonly expectations?: readonly Expectation[];
}

/** Reads the baseline and the expectations that the settings name. Throws `UsageError`. */
export function readGateFiles({ baseline, expect, pinChoices }: OutputSettings): GateFiles {
  if (pinChoices && baseline === undefined) {
    throw new UsageError(
      '--pin-choices (PCS_PIN_CHOICES) needs a baseline',
      'give --baseline DIR, or omit --pin-choices',
    );
  }
  return {
    ...(baseline === undefined ? {} : { baseline: readRunFolder(baseline, pinChoices) }),
    ...(expect === undefined ? {} : { expectations: readExpectations(expect) }),
  };
}

/** The outcome of the gate, and what changed since the baseline. */
interface GateResult {
  readonly outcome: GateOutcome;
  readonly change?: { readonly comparison: Comparison; readonly difference: Difference };
}

/** Puts a run through the gate; `now` is milliseconds since the epoch. */
function gateRun(run: RunArtefacts, files: GateFiles, pinChoices: boolean, now: number): GateResult {
  const { results } = run;
  const { baseline, expectations } = files;
  const today = new Date(now).toISOString().slice(0, 10);
  const comparison = baseline === undefined ? undefined : compareRuns(baseline, run);
  const outcome = gate({
    results,
    pinChoices,
    ...(comparison === undefined ? {} : { comparison }),
    ...(expectations === undefined ? {} : { expected: matchExpectations(expectations, results, today) }),
  });
  if (comparison === undefined) return { outcome };
  return { outcome, change: { comparison, difference: differenceOf(comparison, pinChoices) } };
}

/** Names of the files of a comparison. */
export const COMPARISON_FILES = ['comparison.json', 'comparison.md'] as const;

/** The files of a comparison; a run without a baseline has none. */
function comparisonReporters({ change }: GateResult): readonly Reporter[] {
  const [json, markdown] = COMPARISON_FILES;
  return [
    { name: 'comparison', file: json, render: () => (change ? renderComparisonJson(change.comparison) : null) },
    { name: 'comparison', file: markdown, render: () => (change ? renderComparisonMarkdown(change.difference) : null) },
  ];
}

/** Writes and prints the reports of a run and the outcome of the gate, and returns the exit code. */
export function presentGated(
  judged: RunArtefacts,
  files: GateFiles,
  settings: OutputSettings,
  terminal: Terminal,
): ExitCode {
  const gated = gateRun(judged, files, settings.pinChoices, Date.now());
  const run = gated.change ? { ...judged, difference: gated.change.difference } : judged;
  const code = present(run, settings, terminal, gated.outcome.code, comparisonReporters(gated));
  presentGate(gated, judged, settings, terminal);
  return code;
}

/** Prints the outcome of the gate: to standard error if standard output holds JSON. */
function presentGate(
  { outcome, change }: GateResult,
  { results }: RunArtefacts,
  settings: OutputSettings,
  terminal: Terminal,
): void {
  const tell = settings.json ? terminal.err : terminal.out;
  if (change && !settings.quiet) tell(`\nChanges since the baseline\n${renderComparisonText(change.difference)}`);
  if (!change && settings.expect === undefined) return;
  for (const sentence of outcome.sentences) tell(`Gate: ${sentence}.`);
  const word = outcome.code === 0 ? 'passes' : 'fails';
  tell(`The gate ${word} (exit ${outcome.code}). The verdict remains ${results.verdict}.`);
}
