/** A thread of the proof: does every n-th job and reports each outcome. */

import { parentPort, workerData } from 'node:worker_threads';
import type { Proof } from './prove.ts';
import { type Extent, jobsOf } from './workload.ts';

/** The share of a worker: the jobs whose number leaves `part` when divided by `parts`. */
export interface Share {
  readonly extent: Extent;
  readonly part: number;
  readonly parts: number;
}

/** A job that was done, by its number in the list. */
export interface Done {
  readonly at: number;
  readonly proof: Proof;
}

const { extent, part, parts } = workerData as Share;

for (const [at, job] of jobsOf(extent).entries()) {
  if (at % parts !== part) continue;
  const done: Done = { at, proof: await job.prove() };
  parentPort?.postMessage(done);
}
