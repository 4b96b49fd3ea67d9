/** From the votes on a case to its verdict. */

import { groupBy } from '../contract/lists.ts';
import { operationById } from '../contract/operations.ts';
import { remedyOf, SETTING_OF } from '../contract/settings.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Vote } from './judge.ts';
import type { JudgedRecord, PlannedCase } from './record.ts';
import type { JudgedRequirement } from './requirement.ts';
import type { CaseResult, FoldedFinding } from './results.ts';

function weightOf({ request }: Exchange): number {
  return (request.body?.length ?? 0) + request.path.length;
}

/**
 * An element on its own explains more than a smaller request with several; the preflight cannot be replayed by itself;
 * of walks, the one with the fewest commands.
 */
function rankOf({ tag }: Exchange): number {
  if (tag.origin !== undefined) return 3 + tag.origin.commands;
  if (tag.role === 'alone') return 0;
  return tag.role === 'preflight' ? 2 : 1;
}

function isBetterExample(one: Exchange, other: Exchange): boolean {
  return rankOf(one) - rankOf(other) < 0 || (rankOf(one) === rankOf(other) && weightOf(one) < weightOf(other));
}

/** Equal findings become one, with the exchange that shows them best as its example. */
function foldFindings(votes: readonly Vote[]): readonly FoldedFinding[] {
  const shown = votes.flatMap(({ opinion, exchange }) =>
    opinion.kind === 'finding' && exchange !== null ? [{ ...opinion, exchange }] : [],
  );
  return [...groupBy(shown, ({ finding }) => JSON.stringify(finding)).values()].map((equal) => {
    const { finding, exchange, sibling } = equal.reduce((best, one) =>
      isBetterExample(one.exchange, best.exchange) ? one : best,
    );
    const example = { count: equal.length, example: exchange.seq, about: exchange.tag.about };
    if (sibling === undefined) return { ...finding, ...example };
    return { ...finding, ...example, sibling: { seq: sibling.seq, difference: sibling.difference } };
  });
}

type Open = { readonly reason: string; readonly remedy?: string };

function openOf(vote: Vote | undefined): Open | undefined {
  const opinion = vote?.opinion;
  if (opinion === undefined || opinion.kind === 'pass' || opinion.kind === 'finding') return undefined;
  return opinion.remedy === undefined ? { reason: opinion.reason } : { reason: opinion.reason, remedy: opinion.remedy };
}

/** A variation that no opinion settles stays open, with the reason of the last vote. */
function openVote(variation: readonly Vote[]): Vote | undefined {
  const doubt = variation.find(({ opinion }) => opinion.kind === 'inconclusive');
  if (doubt !== undefined) return doubt;
  return variation.some(({ opinion }) => opinion.kind === 'pass') ? undefined : variation.at(-1);
}

const isLawful = ({ opinion }: Vote): boolean => opinion.kind === 'none' && opinion.isLawful === true;

/** In the read-only profile a write is not exercised, nor is a read of a resource that no setting names. */
function isBeyondProfile({ operation }: PlannedCase, { header }: JudgedRecord): boolean {
  if (header.profile !== 'read-only' || operation === 'undocumented') return false;
  const { method, resources } = operationById(operation);
  return method !== 'GET' || resources.some((kind) => !header.settings.includes(SETTING_OF[kind]));
}

function sentence({ statement }: JudgedRequirement, { expected, actual, where, about }: FoldedFinding): string {
  return `expected ${expected}, got ${actual} in ${where} (${about || statement})`;
}

/** The verdict of one case, before it is known what explains what. */
export function judgeCase(
  planned: PlannedCase,
  requirement: JudgedRequirement,
  votes: readonly Vote[],
  record: JudgedRecord,
): CaseResult {
  const { id, operation } = planned;
  const base = { id, operation, judged: votes.filter(({ exchange }) => exchange !== null).length };
  const broken = record.errors.find(
    (error) => error.operation === operation && error.asks.some((ask) => ask.id === requirement.id),
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
  { needs, opportunistic }: JudgedRequirement,
  votes: readonly Vote[],
  record: JudgedRecord,
): Pick<CaseResult, 'verdict'> & Partial<Open> {
  if (record.endedEarly !== null)
    return { verdict: 'inconclusive', reason: `the run ended early: ${record.endedEarly}` };
  const { shard } = record.header;
  if (shard !== undefined && shard.index > 1) {
    return { verdict: 'inconclusive', reason: `shard 1 of ${shard.count} judges it`, remedy: 'merge the shards' };
  }
  if (needs !== undefined && !record.header.settings.includes(needs)) {
    return { verdict: 'not-exercised', reason: `${needs} is not set`, remedy: remedyOf(needs) };
  }
  const variations = [...groupBy(votes, ({ variation }) => variation).values()];
  const openVotes = variations.map(openVote).filter((one) => one !== undefined);
  const open = openOf(openVotes[0]);
  const passes = votes.some(({ opinion }) => opinion.kind === 'pass');
  const isDoubtful = votes.some(({ opinion }) => opinion.kind === 'inconclusive');
  if (!isDoubtful) {
    if (passes && (open === undefined || opportunistic !== undefined)) return { verdict: 'pass' };
    if (!passes && opportunistic !== undefined) {
      return { verdict: 'not-exercised', reason: opportunistic, ...open };
    }
    const isExcused = openVotes.length > 0 && openVotes.every(isLawful);
    if (isExcused || isBeyondProfile(planned, record)) {
      if (passes) return { verdict: 'pass' };
      return { verdict: 'not-exercised', reason: 'the read-only profile does not test it', ...open };
    }
  }
  return { verdict: 'inconclusive', reason: 'no response allows a verdict', ...open };
}
