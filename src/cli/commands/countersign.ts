/** `pcs-conformance countersign`: adds the signature of the programme that ran or watched a certification. */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersigned, fingerprintOf } from '../../certificate/attestation.ts';
import { ATTESTATION } from '../../certificate/bundle-files.ts';
import { openVerified } from '../../certificate/verify.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { openBundle } from '../bundle-folder.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';
import { packageVersion } from '../version.ts';
import { witnessLogAt } from '../witness-link.ts';
import { nonceOf, privateKeyAt, publicKeyAt, sentencesOf } from './verify.ts';

/** The flags of `countersign`. */
export interface CountersignOptions {
  readonly key: string;
  readonly signerKey?: string;
  readonly nonce?: string;
  readonly witness?: string;
}

/** Countersigns the bundle in a folder once it is verified; exits 3 if it is not verifiable. */
export async function countersign(
  folder: string,
  { key: keyPath, signerKey, nonce, witness }: CountersignOptions,
  terminal: Terminal,
  version = packageVersion(),
): Promise<ExitCode> {
  const key = privateKeyAt(keyPath, 'name the private key of the programme', terminal);
  const signers = signerKey === undefined ? null : [publicKeyAt(signerKey, '--signer-key', 'signer')];
  const keys = { signers, ...nonceOf(nonce), ...witnessLogAt(witness) };
  const entries = openBundle(folder);
  const { verification, verified } = await openVerified(folder, entries, keys, version);
  if (verified === null) {
    for (const line of sentencesOf(verification)) terminal.err(line);
    return EXIT_CODES.incomplete;
  }
  replaceSignatureFile(folder, countersigned(entries, key));
  for (const line of sentencesOf(verification).slice(0, 5)) terminal.out(line);
  if (signers === null) {
    terminal.out(`The signature of the key ${verified.signer.keyid} was not checked: give --signer-key to check it.`);
  }
  terminal.out(`Countersigned with the key ${fingerprintOf(key)}.`);
  return EXIT_CODES.conformant;
}

/** All or nothing: half a signature file would make the bundle worthless. */
function replaceSignatureFile(folder: string, text: string): void {
  const path = join(folder, ATTESTATION);
  try {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch {
    throw new UsageError(`${path} cannot be written`, 'make the folder of the bundle writable');
  }
}
