/** The whole proof as a list of jobs, the same for the same extent, so that several workers can share it. */

import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { NULLS } from '../../fixtures/null/index.ts';
import { type Proof, proveFault, proveNull, provePair, proveVariant } from './prove.ts';
import { proveRules } from './prove-rules.ts';
import { ruleServices, spelledRules } from './rule-services.ts';
import { samplePairs, sampleVariants } from './sample.ts';

/** How much is proved: all faults and null services, and so many variants, services with rules and pairs, by seed. */
export interface Extent {
  readonly variants: number;
  readonly rules: number;
  readonly pairs: number;
  readonly seed: number;
}

/** What a job is about. */
const JOB_KINDS = ['fault', 'variant', 'rules', 'pair', 'null'] as const;

/** One of the kinds. */
export type JobKind = (typeof JOB_KINDS)[number];

/** One service to be judged, and the expected outcome. */
export interface Job {
  readonly kind: JobKind;
  /** What a report calls it: the name of the fault or null service, the choices of the variant. */
  readonly name: string;
  readonly prove: () => Promise<Proof>;
}

const SOCKET_EVERY = 10;

/** A reference service answers at once, so that over a socket its requests never meet. */
const isCrowded = ({ mechanism }: Fault): boolean => mechanism.includes('concurrency');

function spelled(choices: Readonly<Record<string, string>>): string {
  const made = Object.entries(choices).map(([freedom, choice]) => `${freedom}=${choice}`);
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
        prove: () => proveFault(fault, { socket: socket(at) && !isCrowded(fault) }),
      };
    }),
    ...[{}, ...sampleVariants(variants, seed)].map((choices, at): Job => {
      return { kind: 'variant', name: spelled(choices), prove: () => proveVariant(choices, { socket: socket(at) }) };
    }),
    ...ruleServices(rules, seed).map(
      (set): Job => ({ kind: 'rules', name: spelledRules(set), prove: () => proveRules(set) }),
    ),
    ...samplePairs(pairs, seed).map((pair, at): Job => {
      const name = `${pair.fault.name} in ${spelled(pair.choices)}`;
      return { kind: 'pair', name, prove: () => provePair(pair, { socket: socket(at) }) };
    }),
    ...NULLS.map((service): Job => ({ kind: 'null', name: service.name, prove: () => proveNull(service) })),
  ];
}
