/** Runs to compare: the reference, and results with single cases edited. */

import { createReference } from '../../../fixtures/service/reference.ts';
import type { JudgedRun } from '../../../src/regression/own-files.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { countVerdicts } from '../../../src/verdict/evaluate.ts';
import type { CaseResult, Results } from '../../../src/verdict/results.ts';
import { toldOf } from '../../../src/verdict/sentence.ts';
import { choicesOf } from '../../../suites/index.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

const READS: Partial<RunOptions> = { profile: 'read-only' };

/** A read-only run against the reference. */
export async function soundRun(changes: Partial<RunOptions> = READS): Promise<Required<JudgedRun>> {
  const { service, settings } = createReference();
  const { record, results } = await judge(service, optionsFrom(settings, changes));
  return { results, choices: choicesOf(record) };
}

/** The results with one case changed, and with the verdict and the counts that follow. */
export function withCase(results: Results, id: string, change: Partial<CaseResult>): Results {
  const requirements = results.requirements.map((requirement) => ({
    ...requirement,
    cases: requirement.cases.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }));
  const cases = countVerdicts(requirements.flatMap((requirement) => requirement.cases));
  const verdict = cases.fail > 0 ? 'non-conformant' : results.verdict;
  return {
    ...results,
    ...toldOf(verdict, results.reason, results),
    requirements,
    counts: { ...results.counts, cases },
  };
}

/** What a failing case looks like. */
export function failing(expected: string, actual: string, stimulus = 'a valid request'): Partial<CaseResult> {
  const finding = { expected, actual, where: 'the status', stimulus, example: 1, exchanges: [1] };
  return { verdict: 'fail', reason: `expected ${expected}, got ${actual}`, findings: [finding] };
}
