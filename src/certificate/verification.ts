/** The outcome of verifying a bundle, for people and for programs: what is verified, and what its signer states. */

import type { Results } from '../verdict/results.ts';
import type { TrustedKeys } from './attestation.ts';
import { Disagreement, type Entries } from './bundle-files.ts';
import { type Particulars, readingsOf } from './certification.ts';
import { type Register, type Standing, standingOf } from './register.ts';
import { type Verified, type Verifier, verifyBundle } from './verify.ts';

/** What follows from the bundle itself. */
export interface VerifiedFacts
  extends Pick<Results, 'profile' | 'without' | 'strict' | 'seed'>,
    Pick<Verified, 'conditions' | 'signer' | 'programme' | 'manifest' | 'witness'> {
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
  /** What no record can show. */
  readonly claims?: readonly string[];
}

/** Whether a bundle is verified, and what it shows. */
export type Verification =
  | {
      readonly bundle: string;
      readonly outcome: 'conformant' | 'non-conformant';
      readonly verified: VerifiedFacts;
      readonly stated: StatedFacts;
      readonly standing?: Standing;
    }
  | { readonly bundle: string; readonly outcome: 'not verifiable'; readonly problem: string };

/** Whether a certificate is verified and, by the register, in force. */
export function isInForce(verification: Verification): boolean {
  return verification.outcome !== 'not verifiable' && verification.standing?.problem === undefined;
}

const REVOKED = 'PCS_REVOKED_ACCESS_TOKEN';

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
  register?: { readonly register: Register; readonly day: string },
): Promise<Opened> {
  try {
    const verified = await verifyBundle(entries, keys, verifier);
    const { outcome, particulars, results, conditions, exchanges, signer, programme, manifest, witness } = verified;
    const { suite, catalogue, nonce, implementation, time, run } = particulars;
    const { profile, without, strict, seed, counts, settings, target } = results;
    const facts: VerifiedFacts = {
      suite: `${suite.name} ${suite.version}`,
      catalogue: catalogue.sha256,
      reason: outcome.reason,
      ...{ profile, without, strict, nonce, conditions, seed },
      requests: exchanges,
      ...{ calls: counts.calls, cases: counts.cases, readings: readingsOf(results) },
      ...{ signer, programme, manifest, witness },
    };
    const claims = settings.includes(REVOKED) ? { claims: ['the revoked credential was valid once'] } : {};
    const stated = { implementation, target, time, ...(run && { run }), ...claims };
    const known = register && { standing: standingOf(register.register, manifest, suite.version, register.day) };
    return { verification: { bundle, outcome: outcome.outcome, verified: facts, stated, ...known }, verified };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { verification: { bundle, outcome: 'not verifiable', problem: error.message }, verified: null };
  }
}
