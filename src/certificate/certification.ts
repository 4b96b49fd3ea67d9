/** A certification: a run that is to be believed, and what it comes to. Pure. */

import { allCases } from '../report/cases.ts';
import type { Sequence } from '../run/sequence.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Catalogue } from './catalogue.ts';

/** The implementation that is certified. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly vendor: string;
}

/** A sequence of the plan, as data; what it serves by requirement or gap, and strand. */
export type PlannedSequence = Pick<Sequence, 'name' | 'operation' | 'lane' | 'serves'>;

/** The data of a sequence. */
export function plannedSequence({ name, operation, lane, serves }: Sequence): PlannedSequence {
  return { name, operation, lane, serves: [...new Set(serves)] };
}

/** Everything that a bundle is made of. */
export interface Certification {
  readonly record: RunRecord;
  /** The sequences in the order that was drawn. */
  readonly sequences: readonly PlannedSequence[];
  readonly implementation: Implementation;
  readonly nonce: string;
  /** When the run ended, as `2026-01-31T12:00:00.000Z`. */
  readonly time: string;
}

/** What a certification comes to; only what was judged as a whole is attested. */
export type Outcome =
  | { readonly kind: 'attested'; readonly outcome: 'conformant' | 'non-conformant'; readonly reason: string }
  | { readonly kind: 'incomplete' | 'void'; readonly reason: string };

const casesWith = (results: Results, verdict: Verdict): readonly CaseResult[] =>
  allCases(results).flatMap(({ one }) => (one.verdict === verdict ? [one] : []));

/** Cases of a verdict, by name. */
export function namesOf(results: Results, verdict: Verdict): readonly string[] {
  return casesWith(results, verdict).map(({ id }) => id);
}

/** The outcome of results in a certification, where intermittent symptoms fail and nothing may stay open. */
export function outcomeOf(results: Results): Outcome {
  const { verdict, summary, intermittent } = results;
  if (verdict === 'void' || verdict === 'incomplete') return { kind: verdict, reason: summary };
  if (verdict === 'non-conformant') return { kind: 'attested', outcome: verdict, reason: summary };
  if (intermittent.length > 0) {
    const symptoms = intermittent.map(({ symptom }) => symptom).join(', ');
    return { kind: 'attested', outcome: 'non-conformant', reason: `intermittent: ${symptoms}` };
  }
  const open = casesWith(results, 'inconclusive').map(({ id, reason }) => `${id} (${reason})`);
  if (open.length === 0) return { kind: 'attested', outcome: 'conformant', reason: summary };
  const first = open.slice(0, 3).join(', ');
  const more = open.length > 3 ? ` and ${open.length - 3} more` : '';
  return { kind: 'incomplete', reason: `not everything in the profile was judged: ${first}${more}` };
}

/** What was certified, apart from the files: the head of the manifest. */
export interface Particulars {
  readonly suite: Results['suite'];
  readonly catalogue: Catalogue;
  readonly implementation: Implementation;
  readonly nonce: string;
  readonly time: string;
}
