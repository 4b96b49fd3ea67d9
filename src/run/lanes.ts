/** Runs lanes side by side, each in its own order, never more than `width` at once. */

import { createHash } from 'node:crypto';
import { groupBy } from '../contract/lists.ts';
import type { Sequence } from './sequence.ts';

/** Sequences by lane, in the order of the plan; a sequence without a lane has one of its own. */
export function lanesOf(sequences: readonly Sequence[]): readonly (readonly Sequence[])[] {
  return [...groupBy(sequences, (one) => one.lane ?? one).values()];
}

/** Works through items, so many at once; results come in the order of the items. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

/** Sequences in an order drawn from a text: lanes change places as a whole, and each keeps its own order. */
export function drawnOrder<Item extends Pick<Sequence, 'name' | 'lane'>>(
  sequences: readonly Item[],
  draw: string,
): readonly Item[] {
  const keyOf = (lane: string): string => createHash('sha256').update(`${draw}\n${lane}`).digest('hex');
  const keyed = sequences.map((one) => ({ one, key: keyOf(one.lane ?? one.name) }));
  return keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1)).map(({ one }) => one);
}
