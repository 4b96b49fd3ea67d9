/** From the record to opinions on cases: a pure function that anyone can run again (model, section 5). */

import { groupBy } from '../contract/lists.ts';
import type { Exchange, Role } from '../exchange/exchange.ts';
import { operationOf, symptomOf } from './answer.ts';
import { BOUNDARY } from './boundary.ts';
import { Evidence } from './evidence.ts';
import { inconclusive, none, type Opinion, RUN_AGAIN } from './opinion.ts';
import { caseId, type Judgements, type RunRecord } from './record.ts';
import { asksFor, type JudgedRequirement } from './requirement.ts';
import { uncompared } from './sibling.ts';

/** What an exchange says about one question of a case. */
export interface CaseOpinion {
  readonly id: string;
  /** Empty if the exchange was sent for another requirement. */
  readonly variation: string;
  readonly opinion: Opinion;
  readonly exchange: Exchange;
}

/** The case for which an exchange is evidence: that of a single operation may be judged by another's exchanges. */
export function caseOf({ id, operations }: Pick<JudgedRequirement, 'id' | 'operations'>, operation: string): string {
  const [only] = operations;
  return caseId(id, only !== undefined && operations.length === 1 ? only : operation);
}

/** The remedy if lock-outs leave questions open. */
export const LOCK_OUT_REMEDY = 'set --credential-pause or raise --max-wait';

/** For a rejection that a locked-out sender gets with any credential. */
const SENDER_LOCKED_OUT = none('the target had locked the sender out, so the rejection says nothing', LOCK_OUT_REMEDY);

/**
 * The effective opinion, given what sending has settled. `isAsked`: the exchange was sent for the requirement, which
 * stays open if nothing came back.
 */
function weigh(opinion: Opinion, exchange: Exchange, evidence: Evidence, isAsked: boolean): Opinion | null {
  const isSuperseded = evidence.isSuperseded(exchange);
  if (isSuperseded && isAsked) return null;
  // A request that was sent again had been locked out or put off, so its status says nothing (model, sections 1 and 5).
  const isInLockOut = evidence.isInLockOut(exchange);
  if (opinion.kind === 'finding' && opinion.basis === 'status' && (isSuperseded || isInLockOut)) return null;
  if (opinion.kind === 'pass' && isAsked && isInLockOut) return SENDER_LOCKED_OUT;
  if (opinion.kind !== 'finding') return isSuperseded && opinion.kind !== 'pass' ? null : opinion;
  if (opinion.basis === 'leak' || symptomOf(exchange) === null || evidence.isConfirmed(exchange)) return opinion;
  const { actual } = opinion.finding;
  if (evidence.isSpent(exchange))
    return inconclusive(`${actual}, and it may have taken effect, which works once`, RUN_AGAIN);
  if (evidence.isFlakyAction(exchange)) return null;
  // A symptom that went away is flaky. Health checks and hang-ups ask nothing; an outage says nothing of an invariant.
  if (isSuperseded || ASK_NOTHING.includes(exchange.tag.role) || (!isAsked && evidence.isInOutage(exchange)))
    return null;
  const doubt = exchange.tag.replaces === undefined ? 'and it was sent only once' : 'which repetition did not confirm';
  return inconclusive(`${actual}, ${doubt}`, RUN_AGAIN);
}

/** Roles of requests that are sent for the run itself, not for a requirement. */
const ASK_NOTHING: readonly Role[] = ['preflight', 'health-check', 'hang-up'];

/** Gives the opinions on an exchange: the check's own, and those of every other requirement that it concerns. */
function judging(
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
  judgements: Judgements | undefined,
): (exchange: Exchange) => readonly CaseOpinion[] {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const watching = requirements.filter(({ concerns }) => concerns !== undefined);
  return (exchange) => {
    const of = (requirement: JudgedRequirement, variation: string, found: Opinion, isAsked: boolean) => {
      const routedTo = requirement.invariant === true ? exchange.tag.routedTo : undefined;
      const opinion = weigh(found, exchange, evidence, isAsked);
      const id = caseOf(requirement, routedTo ?? operationOf(exchange));
      return opinion === null ? [] : [{ id, variation, opinion, exchange }];
    };
    const said = judgements?.of(exchange) ?? [];
    const asked = said.flatMap(({ id, variation, judge }): readonly CaseOpinion[] => {
      const opinion = () => judge(evidence);
      if (id === BOUNDARY) return [{ id: caseId(id, operationOf(exchange)), variation, opinion: opinion(), exchange }];
      const requirement = byId.get(id);
      return requirement === undefined ? [] : of(requirement, variation, opinion(), true);
    });
    const concerned = watching.filter(({ concerns }) => concerns?.(exchange) === true);
    const besides = concerned.flatMap((requirement): readonly CaseOpinion[] => {
      const { id, expect } = requirement;
      if (expect === undefined) return [];
      // For a repeated request, the last answer is judged.
      const isSaidLater = evidence.isSuperseded(exchange) && asksFor<string>(id)(exchange);
      if (isSaidLater || said.some((opinion) => opinion.id === id)) return [];
      return of(requirement, '', expect(exchange, evidence, uncompared(exchange)), false);
    });
    return [...asked, ...besides];
  };
}

/** Whether the run ended before the target was recognized: then nothing is judged, not even a repeated credential. */
export function endedInPreflight({ endedEarly, exchanges }: RunRecord): boolean {
  return endedEarly !== null && exchanges.every(({ tag }) => tag.role === 'preflight');
}

/** Whether an exchange belongs to a walk of an exploration. */
export const isExplored = ({ tag }: Exchange): boolean => tag.origin !== undefined;

/**
 * What a walk shows about the cases of the plan. A walk is judged alone, and only its findings count: it neither
 * settles nor opens a question of the systematic part.
 */
export function failedBy(
  sent: readonly Exchange[],
  { header, settled, judgements, plan }: RunRecord,
  all: readonly JudgedRequirement[],
): readonly CaseOpinion[] {
  const walk = sent.filter(isExplored);
  const requirements = all.filter(({ readsHistory, shownBy }) => readsHistory !== true && shownBy === undefined);
  const opinions = walk.flatMap(judging(new Evidence(header, walk, settled), requirements, judgements));
  return opinions.filter(({ id, opinion }) => opinion.kind === 'finding' && plan.some((planned) => planned.id === id));
}

/** All opinions of the run, by case. `evidence` is that of the systematic part. */
export function opinionsByCase(
  record: RunRecord,
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
): ReadonlyMap<string, readonly CaseOpinion[]> {
  const shown = endedInPreflight(record) ? [] : evidence.exchanges;
  const judged = shown.flatMap(judging(evidence, requirements, record.judgements));
  const walks = groupBy(record.exchanges.filter(isExplored), ({ tag }) => tag.sequence);
  const explored = [...walks.values()].flatMap((walk) => failedBy(walk, record, requirements));
  return groupBy([...judged, ...explored], ({ id }) => id);
}
