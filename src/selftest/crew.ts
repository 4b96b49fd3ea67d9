/**
 * Runs the whole proof on several threads. Works only on compiled files: a thread loads a file without transforming it.
 */

import { Worker } from 'node:worker_threads';
import type { Proof } from './prove.ts';
import type { Done, Share } from './worker.ts';
import { type Extent, type JobKind, jobsOf } from './workload.ts';

/** One job of the proof and its outcome. */
export interface Proved {
  readonly kind: JobKind;
  readonly name: string;
  readonly proof: Proof;
}

/** How many services were judged, of how many. */
export type OnProved = (done: number, all: number) => void;

/** Proves the whole extent on that many threads; rejects if a thread breaks or leaves jobs undone. */
export async function proveAll(extent: Extent, threads: number, onProved?: OnProved): Promise<readonly Proved[]> {
  const jobs = jobsOf(extent);
  const proofs = new Map<number, Proof>();
  const note = ({ at, proof }: Done): void => {
    proofs.set(at, proof);
    onProved?.(proofs.size, jobs.length);
  };
  const shares = Array.from({ length: threads }, (_, part): Share => ({ extent, part, parts: threads }));
  await Promise.all(shares.map((share) => oneWorker(share, note)));
  return jobs.map(({ kind, name }, at) => {
    const proof = proofs.get(at);
    if (proof === undefined) throw new Error(`the proof of ${name} was not carried out`);
    return { kind, name, proof };
  });
}

function oneWorker(workerData: Share, note: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData });
    worker.on('message', note);
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
