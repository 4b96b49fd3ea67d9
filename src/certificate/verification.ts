/** The outcome of verifying a bundle, for people and for programs: what is verified, and what its signer states. */

import type { Results } from '../verdict/results.ts';
import type { TrustedKeys } from './attestation.ts';
import { Disagreement, type Entries } from './bundle-files.ts';
import { type Particulars, readingsOf } from './certification.ts';
import { type Verified, type Verifier, verifyBundle } from './verify.ts';

/** What follows from the bundle itself. */
export interface VerifiedFacts
  extends Pick<Results, 'profile' | 'without' | 'strict' | 'seed'>,
    Pick<Verified, 'conditions' | 'signer' | 'programme'> {
  readonly suite: string;
  readonly catalogue: string;
  readonly reason: string;
  readonly nonce: string;
  readonly requests: number;
  readonly calls: number;
  readonly cases: Readonly<Record<string, number>>;
  readonly readings: readonly string[];
}

/** What only the word of the signer stands for. */
export interface StatedFacts extends Pick<Particulars, 'implementation' | 'time' | 'run'> {
  readonly target: string;
}

/** Whether a bundle is verified, and what it shows. */
export type Verification =
  | {
      readonly bundle: string;
      readonly outcome: 'conformant' | 'non-conformant';
      readonly verified: VerifiedFacts;
      readonly stated: StatedFacts;
    }
  | { readonly bundle: string; readonly outcome: 'not verifiable'; readonly problem: string };

function factsOf({ outcome, particulars, results, conditions, exchanges, signer, programme }: Verified): VerifiedFacts {
  const { suite, catalogue, nonce } = particulars;
  const { profile, without, strict, seed, counts } = results;
  return {
    suite: `${suite.name} ${suite.version}`,
    catalogue: catalogue.sha256,
    reason: outcome.reason,
    ...{ profile, without, strict, nonce, conditions, seed },
    requests: exchanges,
    calls: counts.calls,
    cases: counts.cases,
    readings: readingsOf(results),
    ...{ signer, programme },
  };
}

/** A bundle that was opened: its verification, and what it holds if it is verified. */
export interface Opened {
  readonly verification: Verification;
  readonly verified: Verified | null;
}

/** Verifies a bundle; `bundle` is the name under which it is reported. Never rejects for what the bundle holds. */
export async function openVerified(
  bundle: string,
  entries: Entries,
  keys: TrustedKeys,
  verifier: Verifier,
): Promise<Opened> {
  try {
    const verified = await verifyBundle(entries, keys, verifier);
    const { outcome } = verified.outcome;
    const { implementation, time, run } = verified.particulars;
    const stated = { implementation, target: verified.results.target, time, ...(run && { run }) };
    return { verification: { bundle, outcome, verified: factsOf(verified), stated }, verified };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { verification: { bundle, outcome: 'not verifiable', problem: error.message }, verified: null };
  }
}
