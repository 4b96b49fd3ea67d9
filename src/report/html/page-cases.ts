/** The cases of a run as the page names and finds them. */

import { OPERATION_IDS } from '../../contract/operations.ts';
import type { CaseResult, Results } from '../../verdict/results.ts';
import type { CaseOfRequirement } from '../cases.ts';

/** Id of the element that tells most about a case. */
export function anchorOf(id: string): string {
  return `case-${id.replace(/[^A-Za-z0-9-]+/g, '-')}`;
}

/** Operations that have a case, in the order of the specification; what is none of the thirteen comes last. */
export function operationsOf(results: Results): readonly string[] {
  const present = new Set(results.requirements.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  const documented = OPERATION_IDS.filter((id) => present.has(id));
  return [...documented, ...[...present].filter((id) => !(documented as readonly string[]).includes(id))];
}

/** Name of a column: requests outside the thirteen operations have no operation of their own. */
export function operationName(operation: string): string {
  return operation === 'undocumented' ? 'other requests' : operation;
}

/** What a search looks through for a case. */
export function searchText({ requirement, one }: CaseOfRequirement): string {
  const findings = one.findings.flatMap(({ expected, actual, where, about }) => [expected, actual, where, about]);
  const parts = [one.id, requirement.level, requirement.statement, one.reason ?? '', one.remedy ?? '', ...findings];
  return parts.join(' ').toLowerCase().slice(0, 800);
}

/** How much a case rests on, in words. */
export function judgedOn(one: CaseResult): string {
  if (one.judged === 0) return 'no exchange';
  return one.judged === 1 ? '1 exchange' : `${one.judged} exchanges`;
}
