/** Replays a failing case: the smallest sequence first, and more only if that gives no verdict. */

import { UsageError } from '../contract/usage-error.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import type { RequestBuilder } from './builder.ts';
import { casesOf } from './plan.ts';
import type { Suite } from './requirement.ts';
import { isWalkBase, type Sequence, walkName } from './sequence.ts';

/** A judged run as its folder keeps it. */
export interface RecordedRun {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
}

/** How much is sent: the sequence of the smallest example, everything that the case asks, the whole recorded run. */
export type Breadth = 'smallest sequence' | 'whole case' | 'whole run';

/** One stage of a replay: the sequences to send, by name. */
export interface Stage {
  readonly breadth: Breadth;
  readonly sequences: readonly string[];
  /** The walk to send, if a walk of an exploration failed. */
  readonly path?: string;
}

/** Sends the sequences of a stage to the target, and judges what comes back. */
export type Ask = (stage: Stage) => Promise<Results>;

/** The outcome of a replay. */
export interface Replayed {
  readonly outcome: 'fails' | 'passes' | 'open';
  /** How much had to be sent. */
  readonly breadth: Breadth;
  /** The case as judged in the last stage. */
  readonly judged: CaseResult;
  readonly results: Results;
}

/** The case of that id in the results, or `undefined`. */
function caseIn({ requirements }: Results, id: string): CaseResult | undefined {
  return requirements.flatMap(({ cases }) => cases).find((one) => one.id === id);
}

/** The recorded exchange that shows the failure; throws `UsageError` where the run has no such case, or no failure of it. */
export function exampleOfCase({ results, exchanges }: RecordedRun, id: string): Exchange {
  const recorded = caseIn(results, id);
  if (recorded === undefined)
    throw new UsageError(`The run has no case ${JSON.stringify(id)}`, 'name one of results.json');
  const [finding] = recorded.findings;
  if (finding === undefined) {
    throw new UsageError(`${id} did not fail in that run (${recorded.verdict})`, 'name a case that failed');
  }
  const example = exchanges.find(({ seq }) => seq === finding.example);
  if (example === undefined)
    throw new UsageError(`The record of that run does not hold request ${finding.example}`, 'run the suite again');
  return example;
}

/** Reads that show whether the resource of a path exists and whether the credential is accepted. */
const READS: ReadonlySet<string> = new Set(['listTrunks', 'listNumbers', 'getTrunk']);

/** The stages of a replay, the smallest first. */
export function stagesOf(run: RecordedRun, id: string, suite: Suite, builder: RequestBuilder): readonly Stage[] {
  const { tag, request } = exampleOfCase(run, id);
  const [{ sibling } = { sibling: undefined }] = caseIn(run.results, id)?.findings ?? [];
  const compared = run.exchanges.find(({ seq }) => seq === sibling?.seq)?.tag.sequence;
  const all = suite.sequences(builder);
  const own = all.find((one) => one.name === tag.sequence);
  const planned = casesOf(suite, builder.options).find((one) => one.id === id);
  const isOfOperation = (one: Sequence) => one.operation === planned?.operation;
  const serves = (one: Sequence) => one.asks.some((ask) => ask.id === planned?.requirement);
  const leansOn = (one: Sequence) =>
    one.isControl === true && (one.lane === own?.lane || isOfOperation(one) || READS.has(one.operation));
  const belongs = (one: Sequence) =>
    one === own || isOfOperation(one) || one.lane === own?.lane || serves(one) || leansOn(one);
  // A credential counts as revoked only if some operation rejects it like an unknown one.
  const isRejected = (one: Exchange): boolean => one.request.credential === 'revoked' && one.response?.status === 401;
  const rejecting = request.credential === 'revoked' ? run.exchanges.find(isRejected) : undefined;
  const showsRevoked = (one: Sequence) =>
    one.operation === rejecting?.tag.operation &&
    one.asks.some(({ variation }) => variation === 'revoked' || variation === 'wrong-secret');
  const named = (sequences: readonly Sequence[]) => sequences.map((one) => one.name);
  const smallest: Stage = {
    breadth: 'smallest sequence',
    sequences: named(all.filter((one) => one === own || one.name === compared || leansOn(one) || showsRevoked(one))),
  };
  if (tag.origin !== undefined) return walkStages(tag.origin.path, all);
  return [
    ...(own === undefined ? [] : [smallest]),
    { breadth: 'whole case', sequences: named(all.filter(belongs)) },
    { breadth: 'whole run', sequences: named(all) },
  ];
}

/** The smallest walk that failed, then the whole one; each after the reads and updates that walks build on. */
function walkStages(path: string, all: readonly Sequence[]): readonly Stage[] {
  const [number = path] = path.split(':');
  const base = all.filter(isWalkBase).map(({ name }) => name);
  const whole = { breadth: 'whole case', sequences: [...base, walkName(number)], path: number } as const;
  if (number === path) return [whole];
  return [{ breadth: 'smallest sequence', sequences: [...base, walkName(path)], path }, whole];
}

function outcomeOf({ verdict }: CaseResult): Replayed['outcome'] {
  if (verdict === 'fail' || verdict === 'warning') return 'fails';
  return verdict === 'pass' ? 'passes' : 'open';
}

/**
 * Replays a failing case, stage by stage, until it fails, or passes as a whole. If a stage ended early, broke or may
 * have left a call open, no further stage follows.
 */
export async function replay(id: string, stages: readonly Stage[], ask: Ask): Promise<Replayed> {
  let last: Replayed | undefined;
  for (const stage of stages) {
    const results = await ask(stage);
    const judged = caseIn(results, id);
    if (judged === undefined) throw new Error(`the replay gave no verdict on ${id}`);
    const isOver = results.endedEarly !== null || results.possiblyOpen.length > 0 || results.verdict === 'void';
    // A walk speaks by its findings alone: one that was sent and found nothing no longer fails.
    const isQuiet = stage.path !== undefined && !isOver && outcomeOf(judged) === 'open';
    const outcome = isQuiet ? 'passes' : outcomeOf(judged);
    last = { outcome, breadth: stage.breadth, judged, results };
    if (outcome === 'fails' || isOver || (outcome === 'passes' && stage.breadth !== 'smallest sequence')) return last;
  }
  if (last === undefined) throw new Error('a replay has no stage');
  return last;
}
