/** Keeps the memory small that long texts take: by itself, the engine would let it grow to several times as much. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may be taken before what is no longer used is collected. */
const MOST_TAKEN = 16_777_216;

let collect: (() => void) | undefined;
let limit = 0;

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects what is no longer used, if much was taken since the last time. */
export function collectGarbage(): void {
  const used = usedBytes();
  limit = Math.min(limit, used + MOST_TAKEN);
  if (used < limit) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  limit = usedBytes() + MOST_TAKEN;
}
