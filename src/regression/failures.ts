/** The failures of a run in a form that can be compared with other runs. */

import { allCases, isFailing } from '../report/model.ts';
import type { CaseResult, FoldedFinding, Results } from '../verdict/results.ts';

/** What identifies a failure of a case: its finding without ids and positions, which change from run to run. */
export type Signature = Pick<FoldedFinding, 'expected' | 'actual'>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const POSITION = /\b(byte|position|offset|line|column|character|seq|request) \d+/gi;

const stable = (text: string): string => text.replace(UUID, 'an id').replace(POSITION, '$1 N');

function signatureOf({ expected, actual }: FoldedFinding): Signature {
  return { expected: stable(expected), actual: stable(actual) };
}

/** Whether two signatures are the same failure. */
export function isSame(a: Signature, b: Signature): boolean {
  return a.expected === b.expected && a.actual === b.actual;
}

/** The signatures of a case, each once, in the order of its findings. */
export function signaturesOf(one: CaseResult): readonly Signature[] {
  const all = one.findings.map(signatureOf);
  return all.filter((signature, at) => all.findIndex((other) => isSame(other, signature)) === at);
}

/** Where a case stands; a warning counts as passing unless the run is strict. */
export type Standing = 'failing' | 'passing' | 'not judged';

/** The standing of a case; one that is not in the plan is not judged. */
export function standingOf(one: CaseResult | undefined, results: Results): Standing {
  if (one === undefined) return 'not judged';
  if (isFailing(one.verdict, results)) return 'failing';
  return one.verdict === 'pass' || one.verdict === 'warning' ? 'passing' : 'not judged';
}

/** The cases of the results by id. */
export function casesById(results: Results): ReadonlyMap<string, CaseResult> {
  return new Map(allCases(results).map(({ one }) => [one.id, one]));
}
