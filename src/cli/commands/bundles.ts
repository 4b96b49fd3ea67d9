/**
 * The commands on bundles: `verify` says whether a bundle matches its signatures and its record, and what it shows;
 * `countersign` adds the signature of the programme; `keygen` makes the keys.
 */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  countersigned,
  fingerprintOf,
  newKeyPair,
  readPrivateKey,
  readPublicKey,
  type Trusted,
} from '../../certificate/attestation.ts';
import { ATTESTATION, type Particulars } from '../../certificate/bundle-files.ts';
import { namedBriefly, readNonce, statedName } from '../../certificate/certification.ts';
import { openVerified, type Verification, type Verified } from '../../certificate/verify.ts';
import { SHOWN } from '../../contract/limits.ts';
import { counted, withoutUndefined } from '../../contract/lists.ts';
import { withUsageError } from '../../contract/usage-error.ts';
import { readText } from '../../regression/own-files.ts';
import { namedFacts } from '../../report/model.ts';
import { cut, visible } from '../../report/text.ts';
import { causeOf } from '../../run/disk.ts';
import { lessThanAll, questionsSentence } from '../../verdict/sentence.ts';
import { openBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, machineOf, packageVersion, type Terminal } from '../terminal.ts';

/** The flags of `verify`. */
export interface VerifyOptions extends TrustFlags {
  readonly key: string;
  readonly json?: boolean;
  readonly requireComplete?: boolean;
}

/** The private key in a file; warns if others can read the file. Throws `UsageError`. */
export function privateKeyAt(path: string, remedy: string, terminal: Terminal): KeyObject {
  const key = readPrivateKey(readText(path, remedy, `--key ${path}`), path);
  // Windows has no such modes.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    terminal.err(`Warning: ${path} can be read by other users: make it yours alone with chmod 600.`);
  return key;
}

function publicKeyAt(path: string, flag: string, owner: string): KeyObject {
  return readPublicKey(readText(path, `name the public key of the ${owner}`, `${flag} ${path}`), path);
}

/** How a bundle is verified, from the flags; `key` is the signer's. */
interface TrustFlags {
  readonly key?: string | undefined;
  readonly programmeKey?: string;
  readonly nonce?: string | undefined;
}

function trusted({ key, flag, programmeKey, nonce }: TrustFlags & { readonly flag: string }): Trusted {
  const keyAt = (path: string | undefined, ...names: readonly [flag: string, owner: string]) =>
    path === undefined ? undefined : publicKeyAt(path, ...names);
  return withoutUndefined({
    signer: keyAt(key, flag, 'signer'),
    programme: keyAt(programmeKey, '--programme-key', 'programme'),
    nonce: nonce === undefined ? undefined : readNonce(nonce),
  });
}

const EXIT_OF_VERIFICATION = {
  conformant: EXIT_CODES.conformant,
  'non-conformant': EXIT_CODES.nonConformant,
  'not verifiable': EXIT_CODES.incomplete,
} as const satisfies Readonly<Record<Verification['outcome'], ExitCode>>;

function countersignature(programme: Verified['programme']): string {
  if (programme === null) return 'Not countersigned.';
  return programme.checked
    ? `Countersigned with the key ${programme.keyid}.`
    : `A countersignature with the key ${programme.keyid} was not checked: give --programme-key.`;
}

/** The remaining facts of the run, beyond names and time. */
function factsIn({ run }: Pick<Particulars, 'run'>): string {
  const more = namedFacts({ facts: run }).filter(([name]) => name !== 'ended');
  return more.map(([name, value]) => `, ${visible(name)} ${statedName(value)}`).join('');
}

/** What `verify` prints, a line each. */
export function sentencesOf(verification: Verification): readonly string[] {
  if (verification.outcome === 'not verifiable') return [`The bundle is not verifiable: ${verification.problem}.`];
  const { verified, stated } = verification;
  const { sentence, reason, nonce, conditions, cases, questions, requests, notExercised, signer, programme } = verified;
  const judged = Object.values(cases).reduce((sum, count) => sum + count, 0);
  const { name, version, vendor } = stated.implementation;
  return [
    `Verified: ${signer.checked ? 'signature, ' : ''}digests, rerun, and ${counted(judged, 'verdict')} computed again from ${counted(requests, 'exchange')}; ${questionsSentence(questions)}.`,
    `Verified: the recorded run is ${sentence}: ${reason}.`,
    ...(notExercised.length === 0 ? [] : [`Verified: not exercised: ${namedBriefly(notExercised)}.`]),
    `Verified: nonce ${nonce}, under these conditions:`,
    // Each on its own line: a long condition must not hide the proxy after it.
    ...conditions.map((condition) => `- ${cut(visible(condition), SHOWN.paragraph)}`),
    `Stated by the signer, not verified: implementation ${statedName(name)} ${statedName(version)} by ${statedName(vendor)}, target ${statedName(stated.target)}, time ${stated.time}${factsIn(stated)}.`,
    `Signed with the key ${signer.keyid}${signer.checked ? '' : ', which was not checked'}. ${countersignature(programme)}`,
  ];
}

/** Verifies the bundle in a folder: exits 0 if it is conformant, 1 if it is not, and 3 if it is not verifiable. */
export async function verify(
  folder: string,
  { json, requireComplete, ...flags }: VerifyOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const keys = trusted({ ...flags, flag: '--key' });
  const { verification, verified } = await openVerified(folder, openBundle(folder), keys, version);
  if (json === true) terminal.out(JSON.stringify(verification, null, 2));
  else {
    const write = verification.outcome === 'not verifiable' ? terminal.err : terminal.out;
    for (const line of sentencesOf(verification)) write(line);
  }
  if (requireComplete !== true || verified === null || verification.outcome !== 'conformant')
    return EXIT_OF_VERIFICATION[verification.outcome];
  const { results } = verified;
  const less = lessThanAll(results);
  if (less === null) return EXIT_CODES.conformant;
  terminal.err(`Not complete: ${results.sentence}: ${less.what}.`);
  return EXIT_CODES.incomplete;
}

/** What `countersign` prints last: whose bundle it signed, what the bundle says, and with which key. */
export const countersignedSentence = ({ signer, results }: Verified, key: string): string =>
  `Countersigned the bundle of the key ${signer.keyid}: ${results.sentence}. The countersignature has the key ${key}.`;

interface CountersignOptions extends Pick<TrustFlags, 'nonce'> {
  readonly key: string;
  readonly signerKey: string;
}

/** Verifies the bundle in a folder, its signature included, and countersigns it; exits 3 if it is not verifiable. */
export async function countersign(
  folder: string,
  { key: keyPath, signerKey, nonce }: CountersignOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const key = privateKeyAt(keyPath, 'name the private key of the programme', terminal);
  const keys = trusted({ nonce, key: signerKey, flag: '--signer-key' });
  const entries = openBundle(folder);
  const { verification, verified } = await openVerified(folder, entries, keys, version);
  if (verified === null) {
    for (const line of sentencesOf(verification)) terminal.err(line);
    return EXIT_CODES.incomplete;
  }
  const [text, path] = [countersigned(entries, key), join(folder, ATTESTATION)];
  // All or nothing: half a signature file, or a draft beside it, would make the bundle worthless.
  withUsageError(
    () => machineOf(terminal).disk.replace(path, text),
    (error) => `${path} cannot be written: ${causeOf(error) ?? 'writing failed'}`,
    'countersign a copy in another folder',
  );
  for (const line of sentencesOf(verification).slice(0, -1)) terminal.out(line);
  terminal.out(countersignedSentence(verified, fingerprintOf(key)));
  return EXIT_CODES.conformant;
}

function writeKey(path: string, text: string, mode: number): void {
  // Never over another key: a lost private key cannot be recovered.
  const write = (): void => writeFileSync(path, text, { mode, flag: 'wx' });
  withUsageError(write, `${path} cannot be written or already exists`, 'choose another --out');
}

/** Writes `OUT.pem`, readable only by its owner, and `OUT.pub.pem`. Throws `UsageError`. */
export function keygen({ out }: { readonly out: string }, terminal: Terminal): ExitCode {
  const { privateKey, publicKey } = newKeyPair();
  writeKey(`${out}.pem`, privateKey, 0o600);
  try {
    writeKey(`${out}.pub.pem`, publicKey, 0o644);
  } catch (error) {
    // One key without the other is useless.
    rmSync(`${out}.pem`);
    throw error;
  }
  terminal.out(`${out}.pem signs: keep it secret. ${out}.pub.pem verifies: publish it.`);
  terminal.out(`Key ${fingerprintOf(createPublicKey(publicKey))}`);
  return EXIT_CODES.conformant;
}
