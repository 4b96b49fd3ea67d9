/** What every report is rendered from, and what a reporter is. */

import type { Exchange, RecordedBody } from '../exchange/exchange.ts';
import type { Choice } from '../run/choices.ts';
import type { RunFacts, ShardFacts } from '../run/facts.ts';
import { operationOf } from '../verdict/answer.ts';
import type { Results } from '../verdict/results.ts';
import { counted } from './text.ts';

/** Entries that changed in the same way since the baseline. */
export interface DifferenceGroup {
  readonly title: string;
  /** `true` if the change is a regression. */
  readonly grave: boolean;
  readonly entries: readonly { readonly name: string; readonly detail: string }[];
}

/** What changed since a baseline, and the sentence that sums it up. */
export interface Difference {
  readonly summary: string;
  readonly groups: readonly DifferenceGroup[];
}

/** A failure that the baseline or the list of known failures has: it does not fail the gate. */
export interface KnownFailure {
  readonly case: string;
  readonly reason: string;
  /** Who will fix it, the address of the issue, and the last day; absent if only the baseline has it. */
  readonly owner?: string;
  readonly issue?: string;
  readonly expires?: string;
}

/** What the regression gate says of a run: the exit code, sentences that explain it, and the known failures. */
export interface GateOutcome {
  readonly code: 0 | 1 | 3 | 4;
  readonly sentences: readonly string[];
  readonly known: readonly KnownFailure[];
}

/** A judged run: its results, and the exchanges that they refer to by `seq`. */
export interface RunArtefacts {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** What the target chose where the specification is silent, if that was read from the record. */
  readonly choices?: readonly Choice[];
  /** What changed since the baseline, if there is one. */
  readonly difference?: Difference;
  /** What the gate says, if there is a baseline or a list of known failures. */
  readonly gate?: GateOutcome;
  /** Start of the run in milliseconds since the epoch: only for formats that need a date (HAR, CTRF). */
  readonly startedAt?: number;
  /** When, where and against which version it ran. */
  readonly facts?: RunFacts;
  /** The report folder as the user named it, for replay commands; `conformance-report` by default, `null` if there is none. */
  readonly folder?: string | null;
}

/** Renders one file of the report folder. Pure: equal runs give equal bytes. */
export interface Reporter {
  readonly name: string;
  /** Name of the file in the report folder. */
  readonly file: string;
  /** The text of the file, or `null` if this run has no such file (a partial run has no badge). */
  readonly render: (run: RunArtefacts) => string | null;
}

/** What the record says of a body besides its text, in phrases. */
export function bodyFacts({
  length,
  json,
  reason,
  utf8,
  byteOrderMark,
  pruned,
  membersCut,
  cut,
}: RecordedBody): readonly string[] {
  return [
    counted(length, 'byte'),
    json === 'valid' ? 'JSON' : `not JSON: ${reason ?? 'unknown'}`,
    ...(utf8 ? [] : ['not UTF-8']),
    ...(byteOrderMark ? ['byte order mark'] : []),
    ...(pruned === true ? ['long strings shortened in the record'] : []),
    ...(membersCut === true ? ['further members left out of the record'] : []),
    ...(cut === true ? ['truncated'] : []),
  ];
}

function shardsIn(shards: readonly ShardFacts[]): string {
  const requests = shards.reduce((sum, one) => sum + one.requests, 0);
  return `merged from ${shards.length}, which sent ${counted(requests, 'request')} in all`;
}

/** The facts of a run as names and texts, for people: `label build` for the label `build`. */
export function namedFacts({ facts }: Pick<RunArtefacts, 'facts'>): readonly (readonly [string, string])[] {
  if (facts === undefined) return [];
  const { startedAt, endedAt, host, targetVersion, labels, shards = [] } = facts;
  return [
    ...(targetVersion === undefined ? [] : [['target version', targetVersion] as const]),
    ['started', startedAt],
    ['ended', endedAt],
    ['host', host],
    ...(shards.length === 0 ? [] : [['shards', shardsIn(shards)] as const]),
    ...Object.entries(labels).map(([name, value]) => [`label ${name}`, value] as const),
  ];
}

/** Ids of the cases that an exchange was sent for. */
export function casesOf(exchange: Exchange): readonly string[] {
  const ids = exchange.tag.asks.map(({ id }) => `${id}/${operationOf(exchange)}`);
  return [...new Set(ids)];
}

/** Milliseconds of the requests that were sent for each case, by its id; a case that sends nothing has none. */
export function spentOnCases(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const exchange of exchanges) {
    for (const id of casesOf(exchange)) spent.set(id, (spent.get(id) ?? 0) + exchange.took);
  }
  return spent;
}

/** Milliseconds from the first request to the last response. */
export function durationOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((longest, { at, took }) => Math.max(longest, at + took), 0);
}

/** A moment of the run in milliseconds since the epoch; counted from the epoch itself if the start is unknown. */
export function dateOf(run: RunArtefacts, at: number): number {
  return Math.round((run.startedAt ?? 0) + at);
}
