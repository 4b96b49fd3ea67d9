/** What fails in a run, under names that stay the same from run to run. */

import { allCases, isFailing } from '../report/cases.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';

/** What is expected and what comes, as compared between runs: without the moment's ids and places. */
export interface Signature {
  readonly expected: string;
  readonly actual: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const PLACE = /\b(byte|position|offset|line|column|character|seq|request) \d+/gi;

const lasting = (text: string): string => text.replace(UUID, 'an id').replace(PLACE, '$1 N');

/** The signature of a finding: requirement and operation are those of its case. */
export function signatureOf({ expected, actual }: Pick<FoldedFinding, 'expected' | 'actual'>): Signature {
  return { expected: lasting(expected), actual: lasting(actual) };
}

/** Whether two signatures are the same failure. */
export function isSame(a: Signature, b: Signature): boolean {
  return a.expected === b.expected && a.actual === b.actual;
}

/** The signatures of a case, each once, in the order of its findings. */
export function signaturesOf(one: CaseResult): readonly Signature[] {
  return one.findings
    .map(signatureOf)
    .filter((signature, at, all) => all.findIndex((other) => isSame(other, signature)) === at);
}

/** Where a case stands, for a comparison: a warning counts as passing unless the run is strict. */
export type Standing = 'failing' | 'passing' | 'open' | 'absent';

/** Where a case of the results stands; `absent` where there is none. */
export function standingOf(one: CaseResult | undefined, results: Results): Standing {
  if (one === undefined) return 'absent';
  if (isFailing(one.verdict, results)) return 'failing';
  return one.verdict === 'pass' || one.verdict === 'warning' ? 'passing' : 'open';
}

/** The cases of the results by id. */
export function casesById(results: Results): ReadonlyMap<string, CaseResult> {
  return new Map(allCases(results).map(({ one }) => [one.id, one]));
}
