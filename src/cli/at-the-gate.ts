/** A run at the gate: the files it is held against are read before it, and what they say is shown after it. */

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
import { type Expectation, readExpectations } from '../regression/expectations.ts';
import { holdAgainst } from '../regression/expected.ts';
import { type GateOutcome, gate } from '../regression/gate.ts';
import { type JudgedRun, readToCompare } from '../regression/run-folder.ts';
import type { RunArtefacts } from '../report/artefacts.ts';
import type { Difference } from '../report/difference.ts';
import type { Settings } from '../settings/settings.ts';
import type { RunVerdict } from '../verdict/verdict.ts';
import type { Terminal } from './terminal.ts';

/** What a run is to be held against; either may be absent. */
export interface GateFiles {
  readonly baseline?: JudgedRun;
  readonly expectations?: readonly Expectation[];
}

/** Reads the baseline and the expectations that the settings name. Throws `UsageError`. */
export function readGateFiles({ baseline, expectFile, pinChoices }: Settings): GateFiles {
  if (pinChoices && baseline === undefined) {
    throw new UsageError(
      '--pin-choices (PCS_PIN_CHOICES) compares with a baseline, and none is named: give --baseline DIR, or leave it out.',
    );
  }
  return {
    ...(baseline === undefined ? {} : { baseline: readToCompare(baseline, pinChoices) }),
    ...(expectFile === undefined ? {} : { expectations: readExpectations(expectFile) }),
  };
}

/** What the gate says of a run. */
export interface AtTheGate {
  readonly verdict: RunVerdict;
  readonly outcome: GateOutcome;
  readonly comparison?: Comparison;
  readonly difference?: Difference;
}

/** Holds a run against the files; `now` is milliseconds since the epoch. */
export function atTheGate(run: RunArtefacts, files: GateFiles, pinChoices: boolean, now: number): AtTheGate {
  const today = new Date(now).toISOString().slice(0, 10);
  const { results, choices } = run;
  const current: JudgedRun = choices === undefined ? { results } : { results, choices };
  const comparison = files.baseline === undefined ? undefined : compareRuns(files.baseline, current);
  const expected = files.expectations === undefined ? undefined : holdAgainst(files.expectations, results, today);
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

/** Writes comparison.json and comparison.md beside the reports; without a baseline those of an earlier run go. */
async function writeComparison(folder: string, { comparison, difference }: AtTheGate): Promise<void> {
  const [json, markdown] = [join(folder, 'comparison.json'), join(folder, 'comparison.md')];
  if (comparison === undefined || difference === undefined) {
    await Promise.all([rm(json, { force: true }), rm(markdown, { force: true })]);
    return;
  }
  await writeFile(json, renderComparisonJson(comparison));
  await writeFile(markdown, renderComparisonMarkdown(difference));
}

/** Shows what the gate says: on standard output, or on standard error where that is for JSON. */
export async function presentGate(held: AtTheGate, settings: Settings, terminal: Terminal): Promise<void> {
  await writeComparison(settings.reportDir, held);
  const { outcome, difference } = held;
  const tell = settings.json ? terminal.err : terminal.out;
  if (difference !== undefined && !settings.quiet) tell(`\nSince the baseline\n${renderComparisonText(difference)}`);
  if (difference === undefined && settings.expectFile === undefined) return;
  for (const sentence of outcome.sentences) tell(`Gate: ${sentence}.`);
  const word = outcome.code === 0 ? 'open' : 'shut';
  tell(`Gate: ${word} (exit ${outcome.code}); the verdict stays ${held.verdict}.`);
}
