/** The gate: what a run exits with where there is a baseline or a list of expectations. The verdict stays what it is. */

import { failingCases } from '../report/cases.ts';
import { counted } from '../report/console/paint.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { EXIT_OF } from '../verdict/verdict.ts';
import type { Comparison } from './comparison.ts';
import type { Expectation } from './expectations.ts';
import { type Expected, isListed } from './expected.ts';

/** What a run is held against. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  readonly pinChoices: boolean;
}

/** The exit code and the sentences that explain it. */
export interface GateOutcome {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentences: readonly string[];
}

/** Only a listed failure that is not stale is borne with. */
function isExcused(one: CaseResult, { comparison, expected }: GateInput): boolean {
  const held: readonly Expectation[] = expected?.held ?? [];
  return isListed(one, held) || comparison?.stillFailing.some((change) => change.case === one.id) === true;
}

function named(cases: readonly CaseResult[]): string {
  const ids = cases.slice(0, 5).map(({ id }) => id);
  return cases.length > 5 ? `${ids.join(', ')} and ${cases.length - 5} more` : ids.join(', ');
}

/** Why the run has no good end although every failure is borne with, or `null`. */
function unfinished({ endedEarly, possiblyOpen }: Results): string | null {
  if (endedEarly !== null) return `the run ended early: ${endedEarly}`;
  return possiblyOpen[0] === undefined ? null : `a call is possibly still open: ${possiblyOpen[0]}`;
}

/** Sentences about what makes the gate shut. */
function breaks(input: GateInput): readonly string[] {
  const { results, comparison, expected, pinChoices } = input;
  const failing = failingCases(results).map(({ one }) => one);
  const unexcused = failing.filter((one) => !isExcused(one, input));
  const flickers = results.strict && failing.length === 0 ? results.intermittent : [];
  const drift = pinChoices ? (comparison?.drift ?? []) : [];
  return [
    ...(expected?.stale ?? []).map(({ sentence }) => `stale expectation: ${sentence}`),
    ...(unexcused.length === 0 ? [] : [`${counted(unexcused.length, 'failure')} not borne with: ${named(unexcused)}`]),
    ...flickers.map(({ symptom }) => `intermittent: ${symptom}`),
    ...drift.map(({ gap, operation }) => `a pinned choice changed: ${gap}/${operation}`),
  ];
}

/** Judges a run at the gate; without baseline and expectations it is the exit code of the verdict. */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  if (comparison === undefined && expected === undefined) return { code: plain, sentences: [] };
  const idle = (expected?.idle ?? []).map((sentence) => `expectation without effect: ${sentence}`);
  if (plain === 4) return { code: 4, sentences: idle };
  const shut = breaks(input);
  if (shut.length > 0) return { code: 1, sentences: [...shut, ...idle] };
  const rest = plain === 1 ? unfinished(results) : null;
  if (rest !== null) return { code: 3, sentences: [rest, ...idle] };
  if (plain !== 1) return { code: plain, sentences: idle };
  const borne = counted(failingCases(results).length, 'failure');
  const left = results.counts.cases.inconclusive;
  const open = left === 0 ? '' : `; ${counted(left, 'case')} could not be judged beside them`;
  return { code: 0, sentences: [`${borne} borne with, nothing new${open}`, ...idle] };
}
