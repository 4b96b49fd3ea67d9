/** The whole proof as a list of jobs, the same for the same extent, so that several threads can share it. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { NULLS } from '../../fixtures/null/index.ts';
import { type Proof, proveFault, proveNull, provePair, proveVariant } from './prove.ts';
import { proveRules, ruleServices, spelledRules } from './rules.ts';
import { type Choices, samplePairs, sampleVariants } from './sample.ts';

/** How much is proved: all faults and null services, and a number of variants, services with rules and pairs, by seed. */
export interface Extent {
  readonly variants: number;
  readonly rules: number;
  readonly pairs: number;
  readonly seed: number;
}

/** One service to be judged, and the expected outcome. */
export interface Job {
  readonly kind: 'fault' | 'variant' | 'rules' | 'pair' | 'null';
  /** What a report calls it: the name of the fault or null service, the choices of the variant. */
  readonly name: string;
  readonly prove: () => Promise<Proof>;
}

const SOCKET_EVERY = 10;

/** A reference service answers at once, so that over a socket its requests never meet. */
const needsConcurrency = ({ mechanism }: Fault): boolean => mechanism.includes('concurrency');

function inWords(choices: Choices): string {
  const made = Object.entries(choices).map(([point, choice]) => `${point}=${choice}`);
  return made.length === 0 ? 'the reference service' : made.join(' ');
}

/** All jobs of an extent, in one order. The reference service is the first of the variants. */
export function jobsOf({ variants, rules, pairs, seed }: Extent): readonly Job[] {
  const socket = (at: number): boolean => at % SOCKET_EVERY === SOCKET_EVERY - 1;
  return [
    ...FAULTS.map((fault, at): Job => {
      return {
        kind: 'fault',
        name: fault.name,
        prove: () => proveFault(fault, { socket: socket(at) && !needsConcurrency(fault) }),
      };
    }),
    ...[{}, ...sampleVariants(variants, seed)].map((choices, at): Job => {
      return {
        kind: 'variant',
        name: inWords(choices),
        prove: () => proveVariant(choices, { socket: socket(at) }),
      };
    }),
    ...ruleServices(rules, seed).map(
      (set): Job => ({ kind: 'rules', name: spelledRules(set), prove: () => proveRules(set) }),
    ),
    ...samplePairs(pairs, seed).map((pair, at): Job => {
      const name = `${pair.fault.name} in ${inWords(pair.choices)}`;
      return { kind: 'pair', name, prove: () => provePair(pair, { socket: socket(at) }) };
    }),
    ...NULLS.map((service): Job => ({ kind: 'null', name: service.name, prove: () => proveNull(service) })),
  ];
}

/** One job of the proof and its outcome. */
export interface Proved extends Pick<Job, 'kind' | 'name'> {
  readonly proof: Proof;
}

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

/** How many services were judged, of how many. */
export type OnProved = (done: number, all: number) => void;

/**
 * Proves the whole extent on that many threads; rejects if a thread breaks or leaves jobs undone. Works only on compiled
 * files: a thread loads a file without transforming it.
 */
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

async function oneWorker(workerData: Share, note: (done: Done) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData });
  worker.on('message', note);
  await once(worker, 'exit');
}
