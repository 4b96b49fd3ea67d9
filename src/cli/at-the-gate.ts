/** The gate of a run: baseline and expectations are read before the run, and the outcome is shown after it. */

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import type { Difference, RunArtefacts } from '../report/artefacts.ts';
import type { Settings } from '../settings/settings.ts';
import type { RunVerdict } from '../verdict/verdict.ts';
import type { Terminal } from './terminal.ts';

/** What a run is compared with; either may be absent. */
export interface GateFiles {
  readonly baseline?: JudgedRun;
  readonly expectations?: readonly Expectation[];
}

/** Reads the baseline and the expectations that the settings name. Throws `UsageError`. */
export function readGateFiles({ baseline, expect, pinChoices }: Settings): GateFiles {
  if (pinChoices && baseline === undefined) {
    throw new UsageError(
      '--pin-choices (PCS_PIN_CHOICES) needs a baseline: give --baseline DIR, or omit --pin-choices.',
    );
  }
  return {
    ...(baseline === undefined ? {} : { baseline: readRunFolder(baseline, pinChoices) }),
    ...(expect === undefined ? {} : { expectations: readExpectations(expect) }),
  };
}

/** The outcome of the gate for a run. */
export interface AtTheGate {
  readonly verdict: RunVerdict;
  readonly outcome: GateOutcome;
  readonly comparison?: Comparison;
  readonly difference?: Difference;
}

/** Puts a run through the gate; `now` is milliseconds since the epoch. */
export function atTheGate(run: RunArtefacts, files: GateFiles, pinChoices: boolean, now: number): AtTheGate {
  const today = new Date(now).toISOString().slice(0, 10);
  const { results, choices } = run;
  const current: JudgedRun = choices === undefined ? { results } : { results, choices };
  const comparison = files.baseline === undefined ? undefined : compareRuns(files.baseline, current);
  const expected = files.expectations === undefined ? undefined : matchExpectations(files.expectations, results, today);
  const outcome = gate({
    results,
    pinChoices,
    ...(comparison === undefined ? {} : { comparison }),
    ...(expected === undefined ? {} : { expected }),
  });
  const { verdict } = results;
  if (comparison === undefined) return { verdict, outcome };
  return { verdict, outcome, comparison, difference: differenceOf(comparison, pinChoices) };
}

/** Writes comparison.json and comparison.md to the report folder; without a baseline it removes earlier ones. */
async function writeComparison(folder: string, { comparison, difference }: AtTheGate): Promise<void> {
  const [json, markdown] = [join(folder, 'comparison.json'), join(folder, 'comparison.md')];
  if (comparison === undefined || difference === undefined) {
    await Promise.all([rm(json, { force: true }), rm(markdown, { force: true })]);
    return;
  }
  await writeFile(json, renderComparisonJson(comparison));
  await writeFile(markdown, renderComparisonMarkdown(difference));
}

/** Prints the outcome to standard output, or to standard error if standard output holds JSON. */
export async function presentGate(held: AtTheGate, settings: Settings, terminal: Terminal): Promise<void> {
  await writeComparison(settings.reportDir, held);
  const { outcome, difference } = held;
  const tell = settings.json ? terminal.err : terminal.out;
  if (difference !== undefined && !settings.quiet)
    tell(`\nChanges since the baseline\n${renderComparisonText(difference)}`);
  if (difference === undefined && settings.expect === undefined) return;
  for (const sentence of outcome.sentences) tell(`Gate: ${sentence}.`);
  const word = outcome.code === 0 ? 'passes' : 'fails';
  tell(`The gate ${word} (exit ${outcome.code}). The verdict remains ${held.verdict}.`);
}
