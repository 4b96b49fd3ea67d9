/** The outcome of verifying a bundle, for people and for programs: what is verified, and what its signer states. */

import type { TrustedKeys } from './attestation.ts';
import { Disagreement, type Entries } from './bundle-files.ts';
import { type Particulars, readingsOf } from './certification.ts';
import { type Verified, verifyBundle } from './verify.ts';

/** What follows from the bundle itself. */
export type VerifiedFacts = ReturnType<typeof factsOf>;

function factsOf({ outcome, particulars, results, conditions, signer, programme, manifest, witness }: Verified) {
  const { suite, catalogue, nonce } = particulars;
  const { profile, without, strict, seed, counts } = results;
  return {
    suite: `${suite.name} ${suite.version}`,
    catalogue: catalogue.sha256,
    reason: outcome.reason,
    ...{ profile, without, strict, nonce, conditions, seed },
    ...{ requests: counts.requests, calls: counts.calls, cases: counts.cases },
    readings: readingsOf(results),
    ...{ signer, programme, manifest, witness },
  };
}

/** What only the word of the signer stands for. */
export interface StatedFacts extends Pick<Particulars, 'implementation' | 'time' | 'run'> {
  readonly target: string;
  /** What no record can show. */
  readonly claims?: readonly string[];
}

/** A register as its file holds it (schemas/register.schema.json). Days are in UTC: `2026-01-31`. */
export interface Register {
  readonly format: 'pcs-conformance/register@1';
  /** The oldest version of the suite that the programme accepts. */
  readonly minimumVersion?: string;
  /** Certificates by the SHA-256 of their manifest.json. */
  readonly certificates: Readonly<Record<string, Omit<Standing, 'problem'>>>;
}

/** A register, and the day on which it is asked. */
export type RegisterToday = Register & { readonly day: string };

/** What a register says of a certificate. */
interface Standing {
  /** The last day on which it is in force. */
  readonly expires?: string;
  readonly withdrawn?: { readonly day: string; readonly reason: string };
  /** Why it is not in force. */
  readonly problem?: string;
}

/** What the register says on that day of a certificate. */
function standingOf(
  { minimumVersion, certificates, day }: RegisterToday,
  { manifest, particulars }: Verified,
): Standing {
  const { version } = particulars.suite;
  const own = certificates[manifest] ?? {};
  const { expires, withdrawn } = own;
  if (withdrawn !== undefined) return { ...own, problem: `it was withdrawn on ${withdrawn.day}: ${withdrawn.reason}` };
  if (expires !== undefined && expires < day) return { ...own, problem: `it expired on ${expires}` };
  const isOld = version.localeCompare(minimumVersion ?? '', 'en', { numeric: true }) < 0;
  if (!isOld) return own;
  return { ...own, problem: `it was made by version ${version}, and the programme accepts ${minimumVersion} or later` };
}

/** A bundle that is verified, and what it shows. */
export interface VerifiedBundle {
  readonly bundle: string;
  readonly outcome: 'conformant' | 'non-conformant';
  readonly verified: VerifiedFacts;
  readonly stated: StatedFacts;
  readonly standing?: Standing;
}

/** Whether a bundle is verified, and what it shows. */
export type Verification =
  | VerifiedBundle
  | { readonly bundle: string; readonly outcome: 'not verifiable'; readonly problem: string };

/** Whether a certificate is verified and, by the register, in force. */
export function isInForce(verification: Verification): boolean {
  return verification.outcome !== 'not verifiable' && verification.standing?.problem === undefined;
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
  version: string,
  register?: RegisterToday,
): Promise<Opened> {
  try {
    const verified = await verifyBundle(entries, keys, version);
    const { implementation, time, run } = verified.particulars;
    const { settings, target } = verified.results;
    const isRevoked = settings.includes('PCS_REVOKED_ACCESS_TOKEN');
    const claims = isRevoked ? { claims: ['the revoked credential was valid once'] } : {};
    const stated = { implementation, target, time, ...(run && { run }), ...claims };
    const known = register && { standing: standingOf(register, verified) };
    const { outcome } = verified.outcome;
    return { verification: { bundle, outcome, verified: factsOf(verified), stated, ...known }, verified };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { verification: { bundle, outcome: 'not verifiable', problem: error.message }, verified: null };
  }
}
