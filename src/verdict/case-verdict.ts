/** From the opinions on a case to its verdict. */

import { type OperationId, operationById } from '../contract/operations.ts';
import { type Requirement, requirementById } from '../contract/requirements/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Vote } from './judge.ts';
import type { PlannedCase, RunRecord } from './record.ts';
import type { CaseResult, FoldedFinding } from './results.ts';

function weightOf(exchange: Exchange): number {
  return (exchange.request.body?.length ?? 0) + exchange.request.path.length;
}

/** Equal findings become one, with the smallest exchange as its example. */
function foldFindings(votes: readonly Vote[]): readonly FoldedFinding[] {
  const folded = new Map<string, { finding: FoldedFinding; weight: number }>();
  for (const { opinion, exchange } of votes) {
    if (opinion.kind !== 'finding' || exchange === null) continue;
    const key = JSON.stringify(opinion.finding);
    const known = folded.get(key);
    const count = (known?.finding.count ?? 0) + 1;
    const weight = weightOf(exchange);
    if (known !== undefined && known.weight <= weight) {
      folded.set(key, { ...known, finding: { ...known.finding, count } });
    } else {
      const finding = { ...opinion.finding, count, example: exchange.seq, about: exchange.tag.about };
      folded.set(key, { finding, weight });
    }
  }
  return [...folded.values()].map(({ finding }) => finding);
}

function byStrand(votes: readonly Vote[]): readonly (readonly Vote[])[] {
  const strands = new Map<string, Vote[]>();
  for (const vote of votes) strands.set(vote.strand, [...(strands.get(vote.strand) ?? []), vote]);
  return [...strands.values()];
}

type Open = { readonly reason: string; readonly remedy?: string };

function openOf(vote: Vote | undefined): Open | undefined {
  const opinion = vote?.opinion;
  if (opinion === undefined || opinion.kind === 'pass' || opinion.kind === 'finding') return undefined;
  return opinion.remedy === undefined ? { reason: opinion.reason } : { reason: opinion.reason, remedy: opinion.remedy };
}

/** A strand that no opinion settles stays open, with the reason of the last that tried. */
function openVote(strand: readonly Vote[]): Vote | undefined {
  const doubt = strand.find((vote) => vote.opinion.kind === 'inconclusive');
  if (doubt !== undefined) return doubt;
  return strand.some((vote) => vote.opinion.kind === 'pass') ? undefined : strand.at(-1);
}

const isLawful = ({ opinion }: Vote): boolean => opinion.kind === 'none' && opinion.isLawful === true;

/** In the read-only profile a case about a resource that no setting names is not exercised, nor is a write. */
function isBeyondProfile(planned: PlannedCase, record: RunRecord): boolean {
  if (record.header.profile !== 'read-only' || planned.operation === 'undocumented') return false;
  const operation = operationById(planned.operation as OperationId);
  if (operation.method !== 'GET') return true;
  const named: Readonly<Record<string, string>> = { trunk: 'PCS_TRUNK_ID', carrierProvider: 'PCS_CARRIER_PROVIDER_ID' };
  return operation.resources.some((kind) => !record.header.settings.includes(named[kind] ?? ''));
}

function sentence(requirement: Requirement, finding: FoldedFinding): string {
  const { expected, actual, where, about } = finding;
  return `expected ${expected}, got ${actual} in ${where} (${about || requirement.statement})`;
}

/** The verdict of one case, before it is known what explains what. */
export function judgeCase(planned: PlannedCase, votes: readonly Vote[], record: RunRecord): CaseResult {
  const requirement = requirementById(planned.requirement) as Requirement;
  const base = {
    id: planned.id,
    operation: planned.operation,
    judged: votes.filter((v) => v.exchange !== null).length,
  };
  const broken = record.errors.find(
    (error) =>
      error.operation === planned.operation && error.serves.some((ask) => ask.split('#')[0] === requirement.id),
  );
  if (broken !== undefined) return { ...base, verdict: 'error', reason: broken.message, findings: [] };
  const findings = foldFindings(votes);
  const [first] = findings;
  if (first !== undefined) {
    const verdict = requirement.level === 'must' ? 'fail' : 'warning';
    return { ...base, verdict, reason: sentence(requirement, first), findings };
  }
  return { ...base, ...withoutFinding(planned, requirement, votes, record), findings };
}

function withoutFinding(
  planned: PlannedCase,
  requirement: Requirement,
  votes: readonly Vote[],
  record: RunRecord,
): Pick<CaseResult, 'verdict'> & Partial<Open> {
  if (record.endedEarly !== null)
    return { verdict: 'inconclusive', reason: `the run ended early: ${record.endedEarly}` };
  if (requirement.needs !== undefined && !record.header.settings.includes(requirement.needs)) {
    return { verdict: 'not-exercised', reason: `${requirement.needs} is not set`, remedy: `set ${requirement.needs}` };
  }
  const strands = byStrand(votes);
  const passes = strands.some((strand) => strand.some((vote) => vote.opinion.kind === 'pass'));
  const doubt = votes.find((vote) => vote.opinion.kind === 'inconclusive');
  const openVotes = strands.map(openVote).filter((one) => one !== undefined);
  const open = openOf(openVotes[0]);
  if (doubt === undefined) {
    if (passes && (open === undefined || requirement.opportunistic !== undefined)) return { verdict: 'pass' };
    if (!passes && requirement.opportunistic !== undefined) {
      return { verdict: 'not-exercised', ...(open ?? {}), reason: open?.reason ?? requirement.opportunistic };
    }
    const isExcused = openVotes.length > 0 && openVotes.every(isLawful);
    if (isExcused || isBeyondProfile(planned, record)) {
      const reason = open?.reason ?? 'the read-only profile does not ask it';
      return passes ? { verdict: 'pass' } : { verdict: 'not-exercised', ...(open ?? {}), reason };
    }
  }
  return { verdict: 'inconclusive', ...(open ?? { reason: 'nothing that came back allows a judgement' }) };
}
