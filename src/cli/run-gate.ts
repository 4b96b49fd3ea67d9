/** The gate of a run: baseline and expectations are read before the run, and the outcome is shown after it. */

import { UsageError } from '../contract/usage-error.ts';
import {
  type Comparison,
  compareRuns,
  differenceOf,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from '../regression/comparison.ts';
import { type Expectation, matchExpectations, readExpectations } from '../regression/expectations.ts';
import { gate } from '../regression/gate.ts';
import { type JudgedRun, readRunFolder } from '../regression/own-files.ts';
import type { Difference, Reporter, RunArtefacts } from '../report/model.ts';
import { visible } from '../report/text.ts';
import { type OutputSettings, present } from './present.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What a run is compared with; either may be absent. */
interface GateFiles {
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

/** Names of the files of a comparison. */
export const COMPARISON_FILES = ['comparison.json', 'comparison.md'] as const;

/** The files of a comparison; a run without a baseline has none. */
function comparisonReporters(comparison?: Comparison, difference?: Difference): readonly Reporter[] {
  const [json, markdown] = COMPARISON_FILES;
  return [
    { name: 'comparison', file: json, render: () => (comparison ? renderComparisonJson(comparison) : null) },
    { name: 'comparison', file: markdown, render: () => (difference ? renderComparisonMarkdown(difference) : null) },
  ];
}

/** Writes and prints the reports of a run and the outcome of the gate, and returns the exit code. */
export function presentGated(
  judged: RunArtefacts,
  { baseline, expectations }: GateFiles,
  settings: OutputSettings,
  terminal: Terminal,
  more: readonly Reporter[] = [],
): ExitCode {
  const { results } = judged;
  const { pinChoices, json, quiet } = settings;
  const today = new Date().toISOString().slice(0, 10);
  const comparison = baseline && compareRuns(baseline, judged);
  const difference = comparison && differenceOf(comparison, pinChoices);
  const expected = expectations && matchExpectations(expectations, results, today);
  const outcome = gate({ results, pinChoices, ...(comparison && { comparison }), ...(expected && { expected }) });
  if (!comparison && !expected) return present(judged, settings, terminal, outcome.code, more);
  const run = { ...judged, gate: outcome, ...(difference && { difference }) };
  const code = present(run, settings, terminal, outcome.code, [
    ...comparisonReporters(comparison, difference),
    ...more,
  ]);
  // Standard output may hold JSON.
  const tell = json ? terminal.err : terminal.out;
  if (difference && !quiet) tell(`\nChanges since the baseline\n${renderComparisonText(difference)}`);
  for (const sentence of outcome.sentences) tell(`Gate: ${visible(sentence)}.`);
  const word = outcome.code === 0 ? 'passes' : 'fails';
  tell(`The gate ${word} (exit ${outcome.code}). The verdict remains ${results.verdict}.`);
  return code;
}
