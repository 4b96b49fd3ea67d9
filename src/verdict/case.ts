/** From the opinions on a case to its verdict (conformance model, section 5). */

import { operationById } from '../contract/operations.ts';
import { lackOf, SETTING_OF } from '../contract/settings.ts';
import { failureOf, foldFindings } from './folded.ts';
import type { CaseOpinion } from './opinions.ts';
import { AFTER_AN_EARLY_END, type Questions, type Unanswered } from './questions.ts';
import type { JudgedRecord, PlannedCase } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { CaseResult } from './results.ts';

/** Whether the read-only profile leaves the case open: a write, or a read of a resource that no setting or list names. */
function isBeyondProfile({ operation }: PlannedCase, { header, exchanges }: JudgedRecord): boolean {
  if (header.profile !== 'read-only' || operation === 'undocumented') return false;
  const { method, resources } = operationById(operation);
  if (operation === 'getTrunk' && exchanges.some(({ response }) => response?.learned?.trunk !== undefined))
    return false;
  return method !== 'GET' || resources.some((kind) => !header.settings.includes(SETTING_OF[kind]));
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
  const unanswered = questions.unanswered(planned, requirement.needs);
  const ofCase = unanswered.filter(({ question }) => planned.questions.includes(question));
  const base = {
    ...{ id, operation, judged: opinions.length },
    questions: { planned: planned.questions.length, answered: planned.questions.length - ofCase.length },
    ...(ofCase.length === 0 ? {} : { unanswered: ofCase.map(({ effect: _, ...shown }) => shown) }),
  };
  const broken = record.errors.find(
    (error) => error.operation === operation && error.asks.some((ask) => ask.id === requirement.id),
  );
  if (broken !== undefined) return { ...base, verdict: 'error', reason: broken.message, findings: [] };
  const { findings, ...extent } = foldFindings(opinions, operation, record.exchanges);
  const failure = failureOf(requirement, findings, extent);
  if (failure !== null) return { ...base, ...failure, findings, ...extent };
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
    const { reason, remedy } = lackOf(needs);
    return { verdict: 'not-exercised', reason, remedy };
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
  if (opportunistic !== undefined && !isBeyond) return outcome('not-exercised', opportunistic);
  if (isSettled && (isBeyond || first !== undefined)) {
    return outcome('not-exercised', 'the read-only profile does not test it');
  }
  return outcome('inconclusive', 'no response allows a verdict');
}
