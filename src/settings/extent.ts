/** How much is explored: so many requests, or for so long; and which part of it. */

import type { Shard } from '../contract/shard.ts';
import type { Reading } from './kinds.ts';

/** How an extent is written. */
export const EXTENT = /^(?:\d{1,7}|\d{1,5}[smh])$/;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** More than can be sent in any time that can be given. */
const UNBOUNDED = 1_000_000;

/** The requests and the milliseconds of an extent. */
export function extentOf(text: string): { readonly explore: number; readonly exploreTime?: number } {
  const unit = text.at(-1) as keyof typeof UNITS;
  if (!(unit in UNITS)) return { explore: Number(text) };
  return { explore: UNBOUNDED, exploreTime: Number(text.slice(0, -1)) * UNITS[unit] };
}

const MOST_SHARDS = 1_000;

/** Which of how many shards; a single one is a whole run. */
export function readShard(text: string): Reading<Shard> {
  const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count && count <= MOST_SHARDS) return { value: { index, count } };
  return {
    wrong: 'is not a shard',
    remedy: `write it as in 1/4, counted from 1 to at most ${MOST_SHARDS}`,
  };
}
