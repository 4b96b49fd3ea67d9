/** The gate: the exit code of a run with a baseline or expectations. It never changes the verdict. */

import { firstOf } from '../contract/lists.ts';
import { failingCases, type GateOutcome, type KnownFailure } from '../report/model.ts';
import { counted } from '../report/text.ts';
import type { Results } from '../verdict/results.ts';
import { EXIT_OF } from '../verdict/verdict.ts';
import type { Comparison } from './comparison.ts';
import { type Expected, entriesOf, isListed } from './expectations.ts';

/** A run and what it is compared with. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  /** Whether a changed choice in a gap fails the gate. */
  readonly pinChoices: boolean;
}

/** The failures that the baseline or an expectation has, in the order of the plan. */
function knownFailures({ results, comparison, expected }: GateInput): readonly KnownFailure[] {
  const before = new Set(comparison?.stillFailing.map((change) => change.case));
  return failingCases(results).flatMap(({ one }): readonly KnownFailure[] => {
    const entries = expected?.known ?? [];
    const [entry] = isListed(one, entries) ? entriesOf(one, entries) : [];
    if (entry !== undefined) {
      const { reason, owner, issue, expires } = entry;
      return [{ case: one.id, reason, owner, issue, expires }];
    }
    return before.has(one.id) ? [{ case: one.id, reason: 'fails in the baseline, too' }] : [];
  });
}

/** The other failures; a stale expectation is reported as such. */
function newFailures({ results, expected }: GateInput, known: readonly KnownFailure[]): readonly string[] {
  const listed = expected === undefined ? [] : [...expected.known, ...expected.stale.map(({ entry }) => entry)];
  const names = new Set(known.map((one) => one.case));
  return failingCases(results).flatMap(({ one }) => (names.has(one.id) || isListed(one, listed) ? [] : [one.id]));
}

function problemsOf(input: GateInput, known: readonly KnownFailure[]): readonly string[] {
  const { results, expected, comparison, pinChoices } = input;
  const failures = newFailures(input, known);
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

/** The outcome of the gate; without a baseline and expectations it is the exit code of the verdict. */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  if (comparison === undefined && expected === undefined) return { code: plain, sentences: [], known: [] };
  const known = knownFailures(input);
  const unused = (expected?.unused ?? []).map((phrase) => `unused expectation: ${phrase}`);
  if (plain === 4) return { code: 4, sentences: unused, known };
  const problems = problemsOf(input, known);
  if (problems.length > 0) return { code: 1, sentences: [...problems, ...unused], known };
  if (plain !== 1) return { code: plain, sentences: unused, known };
  const incomplete = incompleteness(results);
  if (incomplete !== null) return { code: 3, sentences: [incomplete, ...unused], known };
  const { inconclusive } = results.counts.cases;
  const rest = inconclusive === 0 ? '' : `, ${counted(inconclusive, 'case')} inconclusive`;
  const passes = `${counted(failingCases(results).length, 'known failure')}, no new failures${rest}`;
  return { code: 0, sentences: [passes, ...unused], known };
}
