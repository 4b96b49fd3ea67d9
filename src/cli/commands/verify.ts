/** `pcs-conformance verify`: whether a bundle matches its signatures and its record, and what it shows. */

import type { KeyObject } from 'node:crypto';
import { SUITE } from '../../../suites/index.ts';
import type { CheckedSignature } from '../../certificate/attestation.ts';
import { readNonce } from '../../certificate/certification.ts';
import { readPublicKey } from '../../certificate/keys.ts';
import { openVerified, type StatedFacts, type Verification } from '../../certificate/verification.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { textAt } from '../../regression/own-files.ts';
import { namedFacts } from '../../report/artefacts.ts';
import { counted, cut, visible } from '../../report/text.ts';
import { listed } from '../../verdict/sentence.ts';
import { openBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';

/** The flags of `verify`. */
export interface VerifyOptions {
  readonly key: string;
  readonly programmeKey?: string;
  readonly nonce?: string;
  readonly json?: boolean;
  readonly requireComplete?: boolean;
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

/** Of the facts of the run, those that the names and the time do not say yet. */
function factsIn({ run }: StatedFacts): string {
  const named = run === undefined ? [] : namedFacts({ facts: run });
  const more = named.filter(([name]) => name !== 'ended');
  return more.map(([name, value]) => `, ${visible(name)} ${quoted(value)}`).join('');
}

/** What a verification says to people. */
export function sentencesOf(verification: Verification): readonly string[] {
  if (verification.outcome === 'not verifiable') return [`The bundle is not verifiable: ${verification.problem}.`];
  const { outcome, verified, stated } = verification;
  const { reason, profile, without, nonce, conditions, cases, requests, signer, programme } = verified;
  const verdicts = counted(
    Object.values(cases).reduce((sum, count) => sum + count, 0),
    'verdict',
  );
  const scope = without.length === 0 ? profile : `${profile} without ${without.join(', ')}`;
  const { name, version, vendor } = stated.implementation;
  return [
    `Verified: ${signer.checked ? 'signature, ' : ''}digests, rerun, and ${verdicts} computed again from ${counted(requests, 'exchange')}.`,
    `Verified: the recorded run is ${outcome} (profile ${scope}): ${reason}.`,
    `Verified: nonce ${nonce}; conditions: ${conditions.length === 0 ? 'none' : quoted(conditions.join('; '))}.`,
    `Stated by the signer, not verified: implementation ${quoted(name)} ${quoted(version)} by ${quoted(vendor)}, target ${quoted(stated.target)}, time ${stated.time}${factsIn(stated)}.`,
    `Signed with the key ${signer.keyid}${signer.checked ? '' : ', which was not checked'}. ${countersignature(programme)}`,
  ];
}

/** Verifies the bundle in a folder: exits 0 if it is conformant, 1 if it is not, and 3 if it is not verifiable. */
export async function verify(
  folder: string,
  { key, programmeKey, nonce, json, requireComplete }: VerifyOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const signers = [publicKeyAt(key, '--key', 'signer')];
  const keys = { signers, ...programmeKeyAt(programmeKey), ...nonceOf(nonce) };
  const { verification, verified } = await openVerified(folder, openBundle(folder), keys, { version, suite: SUITE });
  if (json === true) terminal.out(JSON.stringify(verification, null, 2));
  else {
    const write = verification.outcome === 'not verifiable' ? terminal.err : terminal.out;
    for (const line of sentencesOf(verification)) write(line);
  }
  const lacking = verified?.results.questions.lacking;
  const isIncomplete = requireComplete === true && (lacking?.questions ?? 0) > 0;
  if (!isIncomplete || verification.outcome !== 'conformant') return EXIT_OF[verification.outcome];
  terminal.err(`Not complete: ${lacking?.questions} questions need ${listed(lacking?.settings ?? [])}.`);
  return EXIT_CODES.incomplete;
}
