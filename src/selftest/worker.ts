/** A thread of the proof: does every n-th job and reports each outcome. */

import { parentPort, workerData } from 'node:worker_threads';
import { type Done, jobsOf, type Share } from './workload.ts';

const { extent, part, parts } = workerData as Share;

for (const [at, job] of jobsOf(extent).entries()) {
  if (at % parts !== part) continue;
  const done: Done = { at, proof: await job.prove() };
  parentPort?.postMessage(done);
}
