/** A shard: one of several runs that divide an exploration among them. */

/** Which of how many, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** How a shard is named in sentences: `shard 2 of 4`. */
export const shardName = ({ index, count }: Shard): string => `shard ${index} of ${count}`;

/**
 * The part of a number of things in a row that a shard has: from its first one to the first of the next shard. The parts are
 * of equal size but for one, and the first shard has something unless there is nothing.
 */
export function partOf({ index, count }: Shard, total: number): { readonly from: number; readonly to: number } {
  return { from: Math.ceil(((index - 1) * total) / count), to: Math.ceil((index * total) / count) };
}
