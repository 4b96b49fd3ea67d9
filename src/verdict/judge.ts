/** From the record to votes on cases: a pure function, so that anyone can compute them again (model, section 5). */

import { groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { operationOf, symptomOf } from './answer.ts';
import { Evidence } from './evidence.ts';
import { none, type Opinion, RANKS, type Rank } from './opinion.ts';
import type { JudgedRecord } from './record.ts';
import { isConcerned, type JudgedRequirement, variationsOf } from './requirement.ts';

/** One opinion that counts for a case. */
export interface Vote {
  readonly variation: string;
  readonly opinion: Opinion;
  /** `null` for a request that was never sent. */
  readonly exchange: Exchange | null;
}

interface CaseVote extends Vote {
  readonly id: string;
}

/** Id of the case of a requirement on an operation. */
export const caseId = (requirement: string, operation: string): string => `${requirement}/${operation}`;

/** The case that an exchange bears on: a requirement on one operation may be judged by what another one shows. */
function caseOf({ id, operations }: JudgedRequirement, exchange: Exchange): string {
  const [only, ...more] = operations;
  return caseId(id, only !== undefined && more.length === 0 ? only : operationOf(exchange));
}

interface Stated {
  readonly requirement: JudgedRequirement;
  readonly opinion: Opinion;
}

const rankOf = (opinion: Opinion): number =>
  opinion.kind === 'finding' ? RANKS.indexOf(opinion.rank) : Number.POSITIVE_INFINITY;

const SECRECY: Rank = 'secrecy';

/** An exchange gives one finding, the first of the ranks; a leaked secret is always reported as well. */
function oneFinding(stated: readonly Stated[]): readonly Stated[] {
  const others = stated.filter(({ opinion }) => opinion.kind === 'finding' && opinion.rank !== SECRECY);
  if (others.length < 2) return stated;
  const first = others.reduce((least, one) => (rankOf(one.opinion) < rankOf(least.opinion) ? one : least));
  return stated.map((one) => {
    if (one === first || !others.includes(one)) return one;
    return { ...one, opinion: { kind: 'none', reason: `the response already breaks ${first.requirement.id}` } };
  });
}

/**
 * The effective opinion, given how the exchange counts and whether a network could have caused it. `isAsked`: the
 * exchange was sent for the requirement, which stays open if nothing came back.
 */
function weigh(opinion: Opinion, exchange: Exchange, evidence: Evidence, isAsked: boolean): Opinion | null {
  const symptom = symptomOf(exchange);
  const isForged = symptom !== null && !evidence.isWidespread(exchange);
  const forgeable = isForged && !(opinion.kind === 'finding' && opinion.rank === SECRECY);
  const standing = evidence.standingOf(exchange);
  if (standing === 'superseded' && isAsked) return null;
  // A rejection during a lock-out does not count against the operation (conformance model, section 1).
  if (opinion.kind === 'finding' && opinion.rank === 'status' && evidence.isLockOut(exchange)) return null;
  if (standing === 'superseded' && opinion.kind === 'pass') return opinion;
  if (standing !== 'current') return opinion.kind === 'finding' && !forgeable ? opinion : null;
  if (opinion.kind !== 'finding' || !forgeable) return opinion;
  if (evidence.isConfirmed(symptom) || evidence.outages.isCrash(exchange)) return opinion;
  // A health check or a hang-up asks nothing, so a network failure there leaves no question open.
  if (exchange.tag.asks.length === 0) return null;
  // An outage says nothing of an invariant, which other responses settle.
  if (!isAsked && evidence.isInStretch(exchange)) return null;
  return { kind: 'inconclusive', reason: `${opinion.finding.actual}, which repetition did not confirm` };
}

function votesOn(
  exchange: Exchange,
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
): readonly CaseVote[] {
  const stated = requirements
    .filter((requirement) => isConcerned(requirement, exchange))
    .map((requirement) => ({ requirement, opinion: requirement.expect(exchange, evidence) }));
  return oneFinding(stated).flatMap(({ requirement, opinion }) => {
    const variations = variationsOf(exchange, requirement.id);
    const weighed = weigh(opinion, exchange, evidence, variations.length > 0);
    if (weighed === null) return [];
    const id = caseOf(requirement, exchange);
    return (variations.length === 0 ? [''] : variations).map((variation) => {
      return { id, variation, opinion: weighed, exchange };
    });
  });
}

/** A target that has not shown that it is the service is not judged, not even for what it repeats. */
export function endedInPreflight({ endedEarly, exchanges }: JudgedRecord): boolean {
  return endedEarly !== null && exchanges.every(({ tag }) => tag.role === 'preflight');
}

/** Whether an exchange belongs to a walk of an exploration, or to what another shard than the first sent beside its walks. */
export const isExplored = ({ tag }: Exchange): boolean => tag.origin !== undefined || tag.shard !== undefined;

/**
 * What a walk of an exploration found. A walk is judged by itself, and only its findings count: it neither settles a
 * question of the systematic part nor opens one, and a walk that found nothing need not be kept.
 */
function findingsOf(
  walk: readonly Exchange[],
  facts: Evidence['facts'],
  requirements: readonly JudgedRequirement[],
): readonly CaseVote[] {
  const evidence = new Evidence(facts, walk);
  const judging = requirements.filter(({ readsHistory, shownBy }) => readsHistory !== true && shownBy === undefined);
  const votes = walk.flatMap((exchange) => votesOn(exchange, evidence, judging));
  return votes.filter(({ opinion }) => opinion.kind === 'finding');
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
export function ballotOf(
  record: JudgedRecord,
  evidence: Evidence,
  requirements: readonly JudgedRequirement[],
): ReadonlyMap<string, readonly Vote[]> {
  const shown = endedInPreflight(record) ? [] : evidence.exchanges;
  const judged = shown.flatMap((exchange) => votesOn(exchange, evidence, requirements));
  const skipped = record.skipped.flatMap(({ asks, operation, reason, remedy }) =>
    asks.map(({ id, variation }): CaseVote => {
      return { id: caseId(id, operation), variation, opinion: none(reason, remedy), exchange: null };
    }),
  );
  const walks = groupBy(record.exchanges.filter(isExplored), ({ tag }) => `${tag.shard ?? ''} ${tag.sequence}`);
  const explored = [...walks.values()].flatMap((walk) => findingsOf(walk, record.header, requirements));
  return groupBy([...judged, ...skipped, ...explored], ({ id }) => id);
}
