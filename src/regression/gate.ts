/** The gate: the exit code of a run with a baseline or expectations. It never changes the verdict. */

import { firstOf } from '../contract/lists.ts';
import { failingCases } from '../report/cases.ts';
import { counted } from '../report/text.ts';
import type { Results } from '../verdict/results.ts';
import { EXIT_OF } from '../verdict/verdict.ts';
import type { Comparison } from './comparison.ts';
import { type Expected, isListed } from './expectations.ts';

/** A run and what it is compared with. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  /** Whether a changed choice in a gap fails the gate. */
  readonly pinChoices: boolean;
}

/** The exit code, and phrases that explain it. */
export interface GateOutcome {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentences: readonly string[];
}

/** The failures that neither the baseline nor an expectation has; a stale expectation is reported as such. */
function newFailures({ results, comparison, expected }: GateInput): readonly string[] {
  const listed = expected === undefined ? [] : [...expected.known, ...expected.stale.map(({ entry }) => entry)];
  const known = new Set(comparison?.stillFailing.map((change) => change.case));
  return failingCases(results).flatMap(({ one }) => (known.has(one.id) || isListed(one, listed) ? [] : [one.id]));
}

function problemsOf(input: GateInput): readonly string[] {
  const { results, comparison, expected, pinChoices } = input;
  const failures = newFailures(input);
  const flaky = results.strict && failingCases(results).length === 0 ? results.intermittent : [];
  const drift = pinChoices ? (comparison?.drift ?? []) : [];
  return [
    ...(expected?.stale ?? []).map(({ sentence }) => `stale expectation: ${sentence}`),
    ...(failures.length === 0 ? [] : [`${counted(failures.length, 'new failure')}: ${firstOf(failures, 5)}`]),
    ...flaky.map(({ symptom }) => `flaky: ${symptom}`),
    ...drift.map(({ gap, operation }) => `a pinned choice changed: ${gap}/${operation}`),
  ];
}

/** Why a run is incomplete although each of its failures is known, or `null`. */
function incompleteness({ endedEarly, possiblyOpen: [call] }: Results): string | null {
  if (endedEarly !== null) return `the run ended early: ${endedEarly}`;
  return call === undefined ? null : `a call may still be open: ${call}`;
}

function knownFailures(results: Results): string {
  const { inconclusive } = results.counts.cases;
  const rest = inconclusive === 0 ? '' : `, ${counted(inconclusive, 'case')} inconclusive`;
  return `${counted(failingCases(results).length, 'known failure')}, no new failures${rest}`;
}

/** The outcome of the gate; without a baseline and expectations it is the exit code of the verdict. */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  if (comparison === undefined && expected === undefined) return { code: plain, sentences: [] };
  const unused = (expected?.unused ?? []).map((phrase) => `unused expectation: ${phrase}`);
  if (plain === 4) return { code: 4, sentences: unused };
  const problems = problemsOf(input);
  if (problems.length > 0) return { code: 1, sentences: [...problems, ...unused] };
  if (plain !== 1) return { code: plain, sentences: unused };
  const incomplete = incompleteness(results);
  return { code: incomplete === null ? 0 : 3, sentences: [incomplete ?? knownFailures(results), ...unused] };
}
