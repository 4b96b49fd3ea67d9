/** From the opinions on a case to its verdict (conformance model, section 5). */

import { groupBy } from '../contract/lists.ts';
import { operationById } from '../contract/operations.ts';
import { remedyOf, SETTING_OF } from '../contract/settings.ts';
import { type Exchange, PLAIN_REQUEST, type Role } from '../exchange/exchange.ts';
import type { CaseOpinion } from './opinions.ts';
import { AFTER_AN_EARLY_END, type Questions, type Unanswered } from './questions.ts';
import { isOfMoment, type JudgedRecord, type PlannedCase } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { CaseResult, FoldedFinding } from './results.ts';

/** The size of a request: the smallest of equal examples is shown. */
export function weightOf({ request }: Exchange): number {
  return (request.body?.length ?? 0) + request.path.length;
}

/** Roles of requests that only support another request. */
const FOR_OTHERS: readonly Role[] = [
  ...(['preflight', 'health-check', 'before', 'after', 'restore', 'made-up-id'] as const),
  ...(['documented-path', 'valid-alias', 'between', 'beside'] as const),
];

/**
 * Which example explains a finding best; lower is better. An element sent alone comes first, as does the plain request. A
 * request that supports another one, or went out beside others, comes later, and so does one with another credential than
 * the valid one. Of walks, the one with the fewest commands is the best.
 */
function rankOf({ tag, request }: Exchange): number {
  if (tag.origin !== undefined) return 5 + tag.origin.commands;
  const isAside = FOR_OTHERS.includes(tag.role) || tag.asks.some(isOfMoment);
  const isPlain = request.credential === 'valid' && tag.about === PLAIN_REQUEST;
  if (tag.role === 'alone' || isPlain) return 0;
  return 1 + (isAside ? 2 : 0) + (request.credential === 'valid' ? 0 : 1);
}

/** Orders exchanges that show the same by how well they do, the best first; of equal ones, the smallest. */
export const byExample = (one: Exchange, other: Exchange): number =>
  rankOf(one) - rankOf(other) || weightOf(one) - weightOf(other);

/** Folds equal findings into one, with the best example. Findings like the first come first, the commonest of them leading. */
function foldFindings(opinions: readonly CaseOpinion[]): readonly FoldedFinding[] {
  const shown = opinions.flatMap(({ opinion, exchange }) =>
    opinion.kind === 'finding' ? [{ ...opinion, exchange }] : [],
  );
  const folded = [...groupBy(shown, ({ finding }) => JSON.stringify(finding)).values()].map((equal) => {
    const { finding, exchange, sibling } = equal.reduce((best, one) =>
      byExample(one.exchange, best.exchange) < 0 ? one : best,
    );
    const example = { count: equal.length, example: exchange.seq, about: exchange.tag.about };
    return { ...finding, ...example, ...(sibling && { sibling }) };
  });
  const [first] = folded;
  const isLike = (one: FoldedFinding): boolean => one.expected === first?.expected && one.actual === first.actual;
  return [...folded.filter(isLike).toSorted((a, b) => b.count - a.count), ...folded.filter((one) => !isLike(one))];
}

/** Whether the read-only profile leaves the case open: a write, or a read of a resource that no setting or list names. */
function isBeyondProfile({ operation }: PlannedCase, { header, exchanges }: JudgedRecord): boolean {
  if (header.profile !== 'read-only' || operation === 'undocumented') return false;
  const { method, resources } = operationById(operation);
  if (operation === 'getTrunk' && exchanges.some(({ response }) => response?.learned?.trunk !== undefined))
    return false;
  return method !== 'GET' || resources.some((kind) => !header.settings.includes(SETTING_OF[kind]));
}

/** The verdict of a case with findings, and the first of them as a sentence; `null` without any. */
export function failureOf(
  { level, statement }: JudgedRequirement,
  [first]: readonly FoldedFinding[],
): Pick<CaseResult, 'verdict' | 'reason'> | null {
  if (first === undefined) return null;
  const { expected, actual, where, about } = first;
  const reason = `expected ${expected}, got ${actual} in ${where} (${about || statement})`;
  return { verdict: level === 'must' ? 'fail' : 'warning', reason };
}

/** The verdict of one case. */
export function judgeCase(
  planned: PlannedCase,
  requirement: JudgedRequirement,
  opinions: readonly CaseOpinion[],
  record: JudgedRecord,
  questions: Questions,
): CaseResult {
  const { id, operation } = planned;
  const unanswered = questions.unanswered(planned, opinions);
  const own = unanswered.filter(({ question }) => planned.questions.includes(question));
  const base = {
    ...{ id, operation, judged: opinions.length },
    questions: { planned: planned.questions.length, answered: planned.questions.length - own.length },
    ...(own.length === 0 ? {} : { unanswered: own.map(({ effect: _, ...shown }) => shown) }),
  };
  const broken = record.errors.find(
    (error) => error.operation === operation && error.asks.some((ask) => ask.id === requirement.id),
  );
  if (broken !== undefined) return { ...base, verdict: 'error', reason: broken.message, findings: [] };
  const findings = foldFindings(opinions);
  const failure = failureOf(requirement, findings);
  if (failure !== null) return { ...base, ...failure, findings };
  const isCutShort = requirement.invariant === true && questions.isCutShort(planned);
  const passes = !isCutShort && opinions.some(({ opinion }) => opinion.kind === 'pass');
  return { ...base, ...withoutFinding(planned, requirement, passes, unanswered, record), findings };
}

type CaseOutcome = Pick<CaseResult, 'verdict' | 'reason' | 'remedy'>;

function withoutFinding(
  planned: PlannedCase,
  { needs, opportunistic }: JudgedRequirement,
  passes: boolean,
  unanswered: readonly Unanswered[],
  record: JudgedRecord,
): CaseOutcome {
  const { settings } = record.header;
  if (needs !== undefined && !settings.includes(needs)) {
    return { verdict: 'not-exercised', reason: `${needs} is not set`, remedy: remedyOf(needs) };
  }
  const [first] = unanswered;
  const outcome = (verdict: CaseOutcome['verdict'], reason: string, from = first): CaseOutcome => {
    return { verdict, reason: from?.reason ?? reason, ...(from?.remedy && { remedy: from.remedy }) };
  };
  const isBeyond = isBeyondProfile(planned, record);
  const hindrance =
    unanswered.find(({ effect }) => effect === 'doubt') ??
    unanswered.find(({ effect }) => effect === 'hindrance' && !isBeyond);
  if (hindrance !== undefined) return outcome('inconclusive', '', hindrance);
  const isSettled = isBeyond || opportunistic !== undefined || unanswered.every(({ effect }) => effect === 'excused');
  if (passes && isSettled) return { verdict: 'pass' };
  if (record.endedEarly !== null) {
    return { verdict: 'inconclusive', reason: `the run ended early: ${record.endedEarly}`, remedy: AFTER_AN_EARLY_END };
  }
  if (opportunistic !== undefined) return outcome('not-exercised', opportunistic);
  if (isSettled && (isBeyond || first !== undefined)) {
    return outcome('not-exercised', 'the read-only profile does not test it');
  }
  return outcome('inconclusive', 'no response allows a verdict');
}
