/** Keeps the memory small that long texts take: by itself, the engine would let it grow to several times as much. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may be taken before what is no longer used is collected. */
const MOST_TAKEN = 16_777_216;

let collect: (() => void) | undefined;
/** What was left after the last collection. */
let left = 0;

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects garbage once at least `most` bytes were allocated since the last collection. */
export function collectGarbage(most = MOST_TAKEN): void {
  const used = usedBytes();
  left = Math.min(left, used);
  if (used < left + most) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  left = usedBytes();
}
