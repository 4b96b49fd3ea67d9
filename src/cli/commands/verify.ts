/** `pcs-conformance verify`: whether a bundle matches its signatures and its record, and what it shows. */

import type { KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import type { CheckedSignature, TrustedKeys } from '../../certificate/attestation.ts';
import { readNonce } from '../../certificate/certification.ts';
import { readPrivateKey, readPublicKey } from '../../certificate/keys.ts';
import { otherScript } from '../../certificate/names.ts';
import type { Register } from '../../certificate/register.ts';
import {
  isInForce,
  openVerified,
  type StatedFacts,
  type Verification,
  type VerifiedBundle,
  type VerifiedFacts,
} from '../../certificate/verify.ts';
import { listed } from '../../contract/lists.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { readOwnFile, textAt } from '../../regression/own-files.ts';
import { namedFacts, profileOf } from '../../report/model.ts';
import { counted, cut, visible } from '../../report/text.ts';
import { openBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';
import { witnessLogAt } from '../witness-link.ts';

/** The flags of `verify`. */
export interface VerifyOptions {
  readonly key: string;
  readonly programmeKey?: string;
  readonly nonce?: string;
  readonly witness?: string;
  readonly register?: string;
  readonly json?: boolean;
  readonly requireComplete?: boolean;
}

/** The private key in a file; a file that others can read is named. Throws `UsageError`. */
export function privateKeyAt(path: string, remedy: string, terminal: Terminal): KeyObject {
  const pem = textAt(path);
  if (pem === undefined) throw new UsageError(`--key ${path} cannot be read`, remedy);
  const key = readPrivateKey(pem, path);
  // Windows has no such modes.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    terminal.err(`Warning: ${path} can be read by other users: make it yours alone with chmod 600.`);
  return key;
}

/** The register of the programme for `TrustedKeys`, if its flag is given. Throws `UsageError`. */
export function registerAt(path: string | undefined): Pick<TrustedKeys, 'register'> {
  if (path === undefined) return {};
  const register = readOwnFile('register', path, 'name the register of the programme') as Register;
  return { register: { ...register, day: new Date().toISOString().slice(0, 10) } };
}

/** The public key in a file. Throws `UsageError`. */
export function publicKeyAt(path: string, flag: string, owner: string): KeyObject {
  const pem = textAt(path);
  if (pem === undefined) throw new UsageError(`${flag} ${path} cannot be read`, `name the public key of the ${owner}`);
  return readPublicKey(pem, path);
}

/** The nonce for `TrustedKeys`, if its flag is given. Throws `UsageError`. */
export function nonceOf(text: string | undefined): { readonly nonce?: string } {
  return text === undefined ? {} : { nonce: readNonce(text) };
}

/** The key of the programme for `TrustedKeys`, if its flag is given. */
export function programmeKeyAt(path: string | undefined): { readonly programme?: KeyObject } {
  return path === undefined ? {} : { programme: publicKeyAt(path, '--programme-key', 'programme') };
}

const EXIT_OF = {
  conformant: EXIT_CODES.conformant,
  'non-conformant': EXIT_CODES.nonConformant,
  'not verifiable': EXIT_CODES.incomplete,
} as const satisfies Readonly<Record<Verification['outcome'], ExitCode>>;

/** A text of the signer, which no terminal obeys. */
const quoted = (text: string): string => `"${cut(visible(text), 300)}"`;

function countersignature(programme: CheckedSignature | null): string {
  if (programme === null) return 'Not countersigned.';
  return programme.checked
    ? `Countersigned with the key ${programme.keyid}.`
    : `A countersignature with the key ${programme.keyid} was not checked: give --programme-key.`;
}

/** A name as the signer wrote it; letters of another script may look like Latin ones. */
function named(name: string): string {
  const script = otherScript(name);
  return script === null ? quoted(name) : `${quoted(name)} (${script} letters)`;
}

function witnessing({ witness }: VerifiedFacts): string {
  if (witness === null) return 'No witness saw the run.';
  if (witness === 'unchecked') return 'A witness saw the run, and was not asked: give --witness LOG.';
  return `Verified: these are the answers as they came, in one piece, from ${witness.from} to ${witness.to} by the clock of the witness (run ${witness.run}).`;
}

/** What the register says, if it was asked. */
function standingIn({ standing }: VerifiedBundle): readonly string[] {
  if (standing === undefined) return [];
  const { problem, expires } = standing;
  if (problem !== undefined) return [`Not in force, by the register: ${visible(problem)}.`];
  return [`In force, by the register${expires === undefined ? '' : `, until ${expires}`}.`];
}

/** Of the facts of the run, those that the names and the time do not say yet. */
function factsIn({ run }: StatedFacts): string {
  const more = namedFacts({ facts: run }).filter(([name]) => name !== 'ended');
  return more.map(([name, value]) => `, ${visible(name)} ${quoted(value)}`).join('');
}

/** What a verification says to people. */
export function sentencesOf(verification: Verification): readonly string[] {
  if (verification.outcome === 'not verifiable') return [`The bundle is not verifiable: ${verification.problem}.`];
  const { outcome, verified, stated } = verification;
  const { reason, nonce, conditions, cases, requests, signer, programme } = verified;
  const judged = Object.values(cases).reduce((sum, count) => sum + count, 0);
  const { name, version, vendor } = stated.implementation;
  return [
    `Verified: ${signer.checked ? 'signature, ' : ''}digests, rerun, and ${counted(judged, 'verdict')} computed again from ${counted(requests, 'exchange')}.`,
    `Verified: the recorded run is ${outcome} (profile ${profileOf(verified)}): ${reason}.`,
    `Verified: nonce ${nonce}; conditions: ${conditions.length === 0 ? 'none' : quoted(conditions.join('; '))}.`,
    witnessing(verified),
    `Stated by the signer, not verified: implementation ${named(name)} ${named(version)} by ${named(vendor)}, target ${quoted(stated.target)}, time ${stated.time}${factsIn(stated)}${(stated.claims ?? []).map((claim) => `, that ${claim}`).join('')}.`,
    `Signed with the key ${signer.keyid}${signer.checked ? '' : ', which was not checked'}. ${countersignature(programme)}`,
    ...standingIn(verification),
  ];
}

/** Verifies the bundle in a folder: exits 0 if it is conformant, 1 if it is not, and 3 if it is not verifiable. */
export async function verify(
  folder: string,
  { key, programmeKey, nonce, witness, register, json, requireComplete }: VerifyOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const signers = [publicKeyAt(key, '--key', 'signer')];
  const known = { ...nonceOf(nonce), ...witnessLogAt(witness), ...registerAt(register) };
  const keys = { signers, ...programmeKeyAt(programmeKey), ...known };
  const { verification, verified } = await openVerified(folder, openBundle(folder), keys, version);
  if (json === true) terminal.out(JSON.stringify(verification, null, 2));
  else {
    const write = verification.outcome === 'not verifiable' ? terminal.err : terminal.out;
    for (const line of sentencesOf(verification)) write(line);
  }
  // A certificate that is not in force counts for nothing, whatever it shows.
  const isVoid = verification.outcome !== 'not verifiable' && !isInForce(verification);
  const lacking = verified?.results.questions.lacking;
  const isIncomplete = requireComplete === true && verification.outcome === 'conformant' && lacking?.questions !== 0;
  if (isIncomplete) {
    const needs = lacking?.questions === 1 ? 'question needs' : 'questions need';
    terminal.err(`Not complete: ${lacking?.questions} ${needs} ${listed(lacking?.settings ?? [])}.`);
  }
  return isVoid || isIncomplete ? EXIT_CODES.incomplete : EXIT_OF[verification.outcome];
}
