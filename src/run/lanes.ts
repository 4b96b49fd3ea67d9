/** Runs lanes side by side, each in its own order, never more than `width` at once. */

/** Work that shares state with the work of the same lane; `null` shares nothing. */
export interface LaneWork {
  readonly lane: string | null;
  readonly run: () => Promise<void>;
}

/** Resolves when all work is done. The order of starts depends on the work alone. */
export async function runLanes(work: readonly LaneWork[], width: number): Promise<void> {
  const lanes = new Map<string, LaneWork[]>();
  for (const [at, one] of work.entries()) {
    const lane = one.lane ?? `\0${at}`;
    const queue = lanes.get(lane);
    if (queue === undefined) lanes.set(lane, [one]);
    else queue.push(one);
  }
  const queues = [...lanes.values()];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let queue = queues[next++]; queue !== undefined; queue = queues[next++]) {
      for (const one of queue) await one.run();
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, queues.length) }, worker));
}

/** What an order is drawn from: digits that depend on the seed and a label. */
interface Draw {
  digest(label: string): string;
}

/** Sequences in an order that the seed draws: lanes change places as a whole, and each keeps its own order. */
export function drawnOrder<Item extends { readonly name: string; readonly lane: string | null }>(
  sequences: readonly Item[],
  draw: Draw,
): readonly Item[] {
  const keyed = sequences.map((one) => ({ one, key: draw.digest(`order ${one.lane ?? one.name}`) }));
  return keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1)).map(({ one }) => one);
}
