/** The outcome of verifying a bundle, for people and for programs: what is verified, and what its signer states. */

import type { TrustedKeys } from './attestation.ts';
import { Disagreement, type Entries } from './bundle-files.ts';
import { type Particulars, readingsOf } from './certification.ts';
import { type Verified, type Verifier, verifyBundle } from './verify.ts';

/** What follows from the bundle itself. */
export type VerifiedFacts = ReturnType<typeof factsOf>;

function factsOf({ outcome, particulars, results, conditions, exchanges, ...checked }: Verified) {
  const { suite, catalogue, nonce } = particulars;
  const { profile, without, strict, seed, counts } = results;
  const { signer, programme, manifest, witness } = checked;
  return {
    suite: `${suite.name} ${suite.version}`,
    catalogue: catalogue.sha256,
    reason: outcome.reason,
    ...{ profile, without, strict, nonce, conditions, seed },
    requests: exchanges,
    calls: counts.calls,
    cases: counts.cases as Readonly<Record<string, number>>,
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

/** What a register says of a certificate. */
interface Standing {
  /** The last day on which it is in force. */
  readonly expires?: string;
  readonly withdrawn?: { readonly day: string; readonly reason: string };
  /** Why it is not in force. */
  readonly problem?: string;
}

/** A version for comparison; what follows its third number does not count. */
const placeOf = (version: string): string =>
  version
    .split(/[.+-]/, 3)
    .map((number) => number.padStart(6, '0'))
    .join('.');

/** What the register says on that day of the certificate with that manifest, made by that version of the suite. */
function standingOf(
  { minimumVersion, certificates }: Register,
  manifest: string,
  version: string,
  day: string,
): Standing {
  const own = Object.hasOwn(certificates, manifest) ? (certificates[manifest] ?? {}) : {};
  const { expires, withdrawn } = own;
  const isOld = minimumVersion !== undefined && placeOf(version) < placeOf(minimumVersion);
  if (withdrawn !== undefined) return { ...own, problem: `it was withdrawn on ${withdrawn.day}: ${withdrawn.reason}` };
  if (expires !== undefined && expires < day) return { ...own, problem: `it expired on ${expires}` };
  if (!isOld) return own;
  return { ...own, problem: `it was made by version ${version}, and the programme accepts ${minimumVersion} or later` };
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
    const { suite, implementation, time, run } = verified.particulars;
    const { settings, target } = verified.results;
    const claims = settings.includes(REVOKED) ? { claims: ['the revoked credential was valid once'] } : {};
    const stated = { implementation, target, time, ...(run && { run }), ...claims };
    const known = register && {
      standing: standingOf(register.register, verified.manifest, suite.version, register.day),
    };
    const { outcome } = verified.outcome;
    return { verification: { bundle, outcome, verified: factsOf(verified), stated, ...known }, verified };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { verification: { bundle, outcome: 'not verifiable', problem: error.message }, verified: null };
  }
}
