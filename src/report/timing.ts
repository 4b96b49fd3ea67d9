/** How long things took, for the formats that ask for it. Nothing is judged by it. */

import type { Exchange } from '../exchange/exchange.ts';
import type { RunArtefacts } from './artefacts.ts';

/** Milliseconds of the requests that were sent for each case, by its id; a case that only looks on has none. */
export function spentOnCases(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const { tag, took } of exchanges) {
    const ids = new Set(tag.asks.map((ask) => `${ask.split('#')[0]}/${tag.operation ?? 'undocumented'}`));
    for (const id of ids) spent.set(id, (spent.get(id) ?? 0) + took);
  }
  return spent;
}

/** Milliseconds from the first request to the last answer. */
export function durationOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((longest, { at, took }) => Math.max(longest, at + took), 0);
}

/** Milliseconds since the epoch at which a moment of the run was; the epoch itself where the start is not known. */
export function dateOf(run: RunArtefacts, at: number): number {
  return Math.round((run.startedAt ?? 0) + at);
}
