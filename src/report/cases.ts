/** The cases of a run as reports group them: failing, warnings, not judged. */

import type { Exchange } from '../exchange/exchange.ts';
import type { CaseResult, FoldedFinding, RequirementResult, Results } from '../verdict/results.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { RunArtefacts } from './artefacts.ts';

/** A case beside the requirement that it judges. */
export interface CaseOfRequirement {
  readonly requirement: RequirementResult;
  readonly one: CaseResult;
}

/** Cases that could not be judged or were not exercised, and that the same thing would help. */
export interface OpenGroup {
  readonly verdict: 'inconclusive' | 'not-exercised';
  readonly reason: string;
  readonly remedy?: string;
  readonly cases: readonly string[];
}

/** Every case in the order of the plan. */
export function allCases(results: Results): readonly CaseOfRequirement[] {
  return results.requirements.flatMap((requirement) => requirement.cases.map((one) => ({ requirement, one })));
}

/** `true` where the verdict makes the run fail: under `--strict` a warning does too. */
export function isFailing(verdict: Verdict, results: Results): boolean {
  return verdict === 'fail' || verdict === 'error' || (verdict === 'warning' && results.strict);
}

/** The cases that make the run fail, and those that broke the suite, in the order of the plan. */
export function failingCases(results: Results): readonly CaseOfRequirement[] {
  return allCases(results).filter(({ one }) => isFailing(one.verdict, results));
}

/** Warnings that do not make the run fail. */
export function warningCases(results: Results): readonly CaseOfRequirement[] {
  return results.strict ? [] : allCases(results).filter(({ one }) => one.verdict === 'warning');
}

/** What is left open because something else failed first needs no remedy of its own. */
function groupReason(one: CaseResult): string {
  const reason = one.reason ?? 'no reason is known';
  return /^explained by [A-Z0-9-]+(?=:)/.exec(reason)?.[0] ?? reason;
}

/** What was not judged, grouped by what would help, or by the reason where nothing would. */
export function openGroups(results: Results, verdict: OpenGroup['verdict']): readonly OpenGroup[] {
  const groups = new Map<string, OpenGroup>();
  for (const { one } of allCases(results)) {
    if (one.verdict !== verdict) continue;
    const { remedy } = one;
    const reason = groupReason(one);
    const key = remedy === undefined ? `reason ${reason}` : `remedy ${remedy}`;
    const known = groups.get(key) ?? { verdict, reason, ...(remedy === undefined ? {} : { remedy }), cases: [] };
    groups.set(key, { ...known, cases: [...known.cases, one.id] });
  }
  return [...groups.values()];
}

/** The exchange that shows a finding, where the run's record holds it. */
export function exampleOf(finding: FoldedFinding, run: RunArtefacts): Exchange | undefined {
  return run.exchanges.find(({ seq }) => seq === finding.example);
}
