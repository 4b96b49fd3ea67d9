/** From the record to opinions on cases: a pure function, so that anyone can compute them again (model, section 5). */

import { groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operationOf, symptomOf } from './answer.ts';
import { Evidence } from './evidence.ts';
import { LOCK_OUT_REMEDY } from './lock-out.ts';
import { type Opinion, RUN_AGAIN } from './opinion.ts';
import { caseId, type JudgedRecord } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';

/** What an exchange says about one question of a case. */
export interface CaseOpinion {
  readonly id: string;
  /** Empty where the exchange was sent for another requirement. */
  readonly variation: string;
  readonly opinion: Opinion;
  readonly exchange: Exchange;
}

/** The case that an exchange bears on: a requirement on a single operation may be judged by exchanges of another. */
export function caseOf({ id, operations }: Pick<JudgedRequirement, 'id' | 'operations'>, operation: string): string {
  const [only] = operations;
  return caseId(id, only !== undefined && operations.length === 1 ? only : operation);
}

/** For a rejection that a locked-out sender gets with any credential. */
const SENDER_LOCKED_OUT: Opinion = {
  kind: 'none',
  reason: 'the target had locked the sender out, so the rejection says nothing',
  remedy: LOCK_OUT_REMEDY,
};

/**
 * The effective opinion, given how the exchange counts and whether a network could have caused it (`symptom`). `isAsked`:
 * the exchange was sent for the requirement, which stays open if nothing came back.
 */
function weigh(
  opinion: Opinion,
  exchange: Exchange,
  symptom: string | null,
  evidence: Evidence,
  isAsked: boolean,
): Opinion | null {
  const isLeak = opinion.kind === 'finding' && opinion.basis === 'leak';
  const mayBeNetworkFailure = symptom !== null && !evidence.isOfService(exchange) && !isLeak;
  const standing = evidence.standingOf(exchange);
  if (standing === 'superseded' && isAsked) return null;
  // A request that was sent again had been locked out or put off, so its status says nothing (model, sections 1 and 5).
  const isInLockOut = evidence.isInLockOut(exchange);
  if (opinion.kind === 'finding' && opinion.basis === 'status' && (standing === 'superseded' || isInLockOut))
    return null;
  if (standing === 'superseded' && opinion.kind === 'pass') return opinion;
  if (opinion.kind === 'pass' && isAsked && isInLockOut) return SENDER_LOCKED_OUT;
  if (standing !== 'current') return opinion.kind === 'finding' && !mayBeNetworkFailure ? opinion : null;
  if (opinion.kind !== 'finding' || !mayBeNetworkFailure) return opinion;
  if (evidence.isConfirmed(exchange) || evidence.crashes.has(exchange)) return opinion;
  // A health check or a hang-up asks nothing, so a network failure there leaves no question open.
  if (exchange.tag.asks.length === 0) return null;
  // An outage says nothing of an invariant, which other responses settle.
  if (!isAsked && evidence.isInStretch(exchange)) return null;
  const isRepeated = exchange.tag.attempt > 0 || exchange.tag.replaces !== undefined;
  const { actual } = opinion.finding;
  // A hang-up beside another that ended the call cannot be repeated, and may have met the one 500 in a hundred of a gateway.
  const doubt = isRepeated ? 'which repetition did not confirm' : 'and it was sent only once';
  return { kind: 'inconclusive', reason: `${actual}, ${doubt}`, remedy: RUN_AGAIN };
}

/** Stands for the asks of an exchange that was sent for another requirement. */
const WHOLE = [{ variation: '' }] as const;

/** The opinion of every requirement that the exchange concerns, each by itself. */
function opinionsOn(
  exchange: Exchange,
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
): readonly CaseOpinion[] {
  const opinions: CaseOpinion[] = [];
  const symptom = symptomOf(exchange);
  const asks = groupBy(exchange.tag.asks, ({ id }) => id);
  for (const requirement of requirements) {
    const asked = asks.get(requirement.id);
    if (requirement.concerns === undefined ? asked === undefined : !requirement.concerns(exchange)) continue;
    const found = requirement.expect(exchange, evidence);
    const opinion = weigh(found, exchange, symptom, evidence, asked !== undefined);
    if (opinion === null) continue;
    const id = caseOf(requirement, operationOf(exchange));
    for (const { variation } of asked ?? WHOLE) opinions.push({ id, variation, opinion, exchange });
  }
  return opinions;
}

/** Whether the run ended before the target was recognized: then nothing is judged, not even a repeated credential. */
export function endedInPreflight({ endedEarly, exchanges }: JudgedRecord): boolean {
  return endedEarly !== null && exchanges.every(({ tag }) => tag.role === 'preflight');
}

/** Whether an exchange belongs to a walk of an exploration. */
export const isExplored = ({ tag }: Exchange): boolean => tag.origin !== undefined;

/**
 * The findings of a walk. A walk is judged by itself, and only its findings count: it neither settles nor opens a question
 * of the systematic part.
 */
function findingsOf(
  walk: readonly Exchange[],
  facts: Evidence['facts'],
  requirements: readonly JudgedRequirement[],
): readonly CaseOpinion[] {
  const evidence = new Evidence(facts, walk);
  const judging = requirements.filter(({ readsHistory, shownBy }) => readsHistory !== true && shownBy === undefined);
  const opinions = walk.flatMap((exchange) => opinionsOn(exchange, evidence, judging));
  return opinions.filter(({ opinion }) => opinion.kind === 'finding');
}

/** The cases of the plan that a walk fails. */
export function failedBy(
  walk: readonly Exchange[],
  { header, plan }: Pick<JudgedRecord, 'header' | 'plan'>,
  requirements: readonly JudgedRequirement[],
): readonly string[] {
  const found = new Set(findingsOf(walk.filter(isExplored), header, requirements).map(({ id }) => id));
  return plan.flatMap(({ id }) => (found.has(id) ? [id] : []));
}

/** All opinions of the run, by case. `evidence` is that of the systematic part. */
export function opinionsByCase(
  record: JudgedRecord,
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
): ReadonlyMap<string, readonly CaseOpinion[]> {
  const shown = endedInPreflight(record) ? [] : evidence.exchanges;
  const judged = shown.flatMap((exchange) => opinionsOn(exchange, evidence, requirements));
  const walks = groupBy(record.exchanges.filter(isExplored), ({ tag }) => tag.sequence);
  const explored = [...walks.values()].flatMap((walk) => findingsOf(walk, record.header, requirements));
  return groupBy([...judged, ...explored], ({ id }) => id);
}
