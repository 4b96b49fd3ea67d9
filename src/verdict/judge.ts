/** From the record to verdicts: a pure function, so that anybody can compute them again (conformance model, 5). */

import { requirementById } from '../contract/requirements/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { symptomOf } from './answer.ts';
import { strandsOf } from './check.ts';
import { CHECKS, type Evidence, type Opinion } from './index.ts';
import { RANKS, type Rank } from './opinion.ts';
import { PREFLIGHT, type RunRecord } from './record.ts';

/** One opinion that counts for a case. */
export interface Vote {
  readonly strand: string;
  readonly opinion: Opinion;
  /** `null` for what was never sent. */
  readonly exchange: Exchange | null;
}

/** Votes by case id. */
export type Ballot = ReadonlyMap<string, readonly Vote[]>;

/** The case that an exchange bears on: a requirement on one operation may be judged by what another one shows. */
function caseOf(id: string, exchange: Exchange): string {
  const operations = requirementById(id)?.operations ?? [];
  const [only, ...more] = operations;
  return `${id}/${only !== undefined && more.length === 0 ? only : (exchange.tag.operation ?? 'undocumented')}`;
}

interface Said {
  readonly requirement: string;
  readonly opinion: Opinion;
}

const rankOf = (opinion: Opinion): number =>
  opinion.kind === 'finding' ? RANKS.indexOf(opinion.rank) : Number.POSITIVE_INFINITY;

const SECRECY: Rank = 'secrecy';

/** An exchange gives one finding, the first of the ladder; a shown secret is told whatever else is wrong. */
function oneFinding(said: readonly Said[]): readonly Said[] {
  const others = said.filter(({ opinion }) => opinion.kind === 'finding' && opinion.rank !== SECRECY);
  if (others.length < 2) return said;
  const first = others.reduce((least, one) => (rankOf(one.opinion) < rankOf(least.opinion) ? one : least));
  return said.map((one) => {
    if (one === first || !others.includes(one)) return one;
    return { ...one, opinion: { kind: 'none', reason: `the answer already breaks ${first.requirement}` } };
  });
}

/**
 * What is left of an opinion once it is weighed how the exchange stands and whether a network could have forged it.
 * `isAsked`: the exchange was sent for the requirement, which an answer that is none then leaves open.
 */
function weigh(opinion: Opinion, exchange: Exchange, evidence: Evidence, isAsked: boolean): Opinion | null {
  const symptom = symptomOf(exchange);
  const forgeable = symptom !== null && !(opinion.kind === 'finding' && opinion.rank === SECRECY);
  const standing = evidence.standingOf(exchange);
  if (standing === 'waited' && isAsked) return null;
  if (standing === 'waited' && opinion.kind === 'pass') return opinion;
  if (standing !== 'decides') return opinion.kind === 'finding' && !forgeable ? opinion : null;
  if (opinion.kind !== 'finding' || !forgeable || evidence.isConfirmed(symptom)) return opinion;
  // A control between repetitions and a hang-up ask nothing: what a network did to them leaves no question open.
  if (exchange.tag.asks.length === 0) return null;
  return { kind: 'inconclusive', reason: `${opinion.finding.actual}, which could not be confirmed by repetition` };
}

function votesOn(exchange: Exchange, evidence: Evidence): readonly (readonly [string, Vote])[] {
  const said = CHECKS.filter((check) => check.concerns(exchange)).map((check) => ({
    requirement: check.requirement,
    opinion: check.judge(exchange, evidence),
  }));
  return oneFinding(said).flatMap(({ requirement, opinion }) => {
    const strands = strandsOf(exchange, requirement);
    const weighed = weigh(opinion, exchange, evidence, strands.length > 0);
    if (weighed === null) return [];
    return (strands.length === 0 ? [''] : strands).map(
      (strand) => [caseOf(requirement, exchange), { strand, opinion: weighed, exchange }] as const,
    );
  });
}

/** What does not look like the service at all is not judged by its rules: nothing counts of it but a shown secret. */
function endedInPreflight({ endedEarly }: RunRecord, { exchanges }: Evidence): boolean {
  return endedEarly !== null && exchanges.every(({ tag }) => tag.sequence.startsWith(PREFLIGHT));
}

const isSecrecy = ({ opinion }: Vote): boolean => opinion.kind === 'finding' && opinion.rank === SECRECY;

/** All opinions of the run, by case. */
export function ballotOf(record: RunRecord, evidence: Evidence): Ballot {
  const ballot = new Map<string, Vote[]>();
  const cast = (id: string, vote: Vote): void => {
    const votes = ballot.get(id);
    if (votes === undefined) ballot.set(id, [vote]);
    else votes.push(vote);
  };
  const isFirstLook = endedInPreflight(record, evidence);
  for (const exchange of evidence.exchanges) {
    for (const [id, vote] of votesOn(exchange, evidence)) if (!isFirstLook || isSecrecy(vote)) cast(id, vote);
  }
  for (const note of record.withheld) {
    const { reason, remedy } = note;
    const opinion: Opinion = remedy === undefined ? { kind: 'none', reason } : { kind: 'none', reason, remedy };
    for (const ask of note.serves) {
      const [requirement = '', strand = ''] = ask.split('#');
      cast(`${requirement}/${note.operation}`, { strand, opinion, exchange: null });
    }
  }
  return ballot;
}
