/** What changed between two runs. Pure: the same results give the same comparison. */

import type { CaseResult, Results } from '../verdict/results.ts';
import type { RunVerdict } from '../verdict/verdict.ts';
import { type Drift, driftOf, planChanges } from './changes.ts';
import { casesById, isSame, type Signature, type Standing, signaturesOf, standingOf } from './failures.ts';
import type { JudgedRun } from './run-folder.ts';

/** A case that stands otherwise than before, or still fails. */
export interface Change {
  readonly case: string;
  /** Why it fails or is not judged, in one sentence, or what it was before. */
  readonly detail: string;
}

/** A run in a line. */
export interface RunLine {
  readonly verdict: RunVerdict;
  readonly target: string;
  readonly profile: string;
  readonly version: string;
}

/** The difference of two runs; lists are in the order of the current plan. */
export interface Comparison {
  readonly format: 'pcs-conformance/comparison@1';
  readonly baseline: RunLine;
  readonly current: RunLine;
  readonly newlyFailing: readonly Change[];
  /** Failed before, and fails now in a way in which it did not. */
  readonly failingDifferently: readonly Change[];
  readonly stillFailing: readonly Change[];
  readonly newlyPassing: readonly Change[];
  readonly noLongerJudged: readonly Change[];
  readonly newlyJudged: readonly Change[];
  /** Choices in the gaps that are others now. */
  readonly drift: readonly Drift[];
  /** `false` where one of the runs has no choices to compare. */
  readonly choicesCompared: boolean;
  /** Sentences: what was asked otherwise than before. */
  readonly plan: readonly string[];
  /** Whether anything fails that did not fail before. */
  readonly worse: boolean;
}

type List = 'newlyFailing' | 'failingDifferently' | 'stillFailing' | 'newlyPassing' | 'noLongerJudged' | 'newlyJudged';

const LISTS: Readonly<Record<`${Standing} ${Standing}`, List | null>> = {
  'failing failing': 'stillFailing',
  'failing passing': 'newlyPassing',
  'failing open': 'noLongerJudged',
  'failing absent': 'noLongerJudged',
  'passing failing': 'newlyFailing',
  'passing passing': null,
  'passing open': 'noLongerJudged',
  'passing absent': 'noLongerJudged',
  'open failing': 'newlyFailing',
  'open passing': 'newlyJudged',
  'open open': null,
  'open absent': null,
  'absent failing': 'newlyFailing',
  'absent passing': 'newlyJudged',
  'absent open': null,
  'absent absent': null,
};

function hasNewFinding(before: CaseResult, now: CaseResult): boolean {
  const known: readonly Signature[] = signaturesOf(before);
  return signaturesOf(now).some((signature) => !known.some((one) => isSame(one, signature)));
}

function detailOf(list: List, before: CaseResult | undefined, now: CaseResult | undefined): string {
  if (list === 'newlyPassing' || list === 'newlyJudged') {
    return `was ${before?.verdict ?? 'not in the plan'}${before?.reason === undefined ? '' : `: ${before.reason}`}`;
  }
  return now === undefined ? 'is not in the plan any more' : (now.reason ?? now.verdict);
}

function lineOf({ verdict, target, profile, suite }: Results): RunLine {
  return { verdict, target, profile, version: suite.version };
}

/** Compares two runs. */
export function compareRuns(baseline: JudgedRun, current: JudgedRun): Comparison {
  const before = casesById(baseline.results);
  const now = casesById(current.results);
  const lists: Record<List, Change[]> = {
    newlyFailing: [],
    failingDifferently: [],
    stillFailing: [],
    newlyPassing: [],
    noLongerJudged: [],
    newlyJudged: [],
  };
  for (const id of new Set([...now.keys(), ...before.keys()])) {
    const [old, one] = [before.get(id), now.get(id)];
    const standing = LISTS[`${standingOf(old, baseline.results)} ${standingOf(one, current.results)}`];
    if (standing === null) continue;
    const differs = standing === 'stillFailing' && old !== undefined && one !== undefined && hasNewFinding(old, one);
    const list = differs ? 'failingDifferently' : standing;
    lists[list].push({ case: id, detail: detailOf(list, old, one) });
  }
  return {
    format: 'pcs-conformance/comparison@1',
    baseline: lineOf(baseline.results),
    current: lineOf(current.results),
    ...lists,
    ...driftOf(baseline.choices, current.choices),
    plan: planChanges(baseline.results, current.results),
    worse: lists.newlyFailing.length + lists.failingDifferently.length > 0,
  };
}
