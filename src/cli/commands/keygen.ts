/** `pcs-conformance keygen`: a key pair for signing certificates. */

import { createPublicKey } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { fingerprintOf, newKeyPair } from '../../certificate/attestation.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

function write(path: string, text: string, mode: number): void {
  try {
    // Never over another key: a lost private key cannot be recovered.
    writeFileSync(path, text, { mode, flag: 'wx' });
  } catch {
    throw new UsageError(`${path} cannot be written or already exists`, 'choose another --out');
  }
}

/** Writes `OUT.pem`, readable only by its owner, and `OUT.pub.pem`. Throws `UsageError`. */
export function keygen({ out }: { readonly out: string }, terminal: Terminal): ExitCode {
  const { privateKey, publicKey } = newKeyPair();
  write(`${out}.pem`, privateKey, 0o600);
  try {
    write(`${out}.pub.pem`, publicKey, 0o644);
  } catch (error) {
    // It is of no use without its other half.
    rmSync(`${out}.pem`);
    throw error;
  }
  terminal.out(`${out}.pem signs: keep it secret. ${out}.pub.pem verifies: publish it.`);
  terminal.out(`Key ${fingerprintOf(createPublicKey(publicKey))}`);
  return EXIT_CODES.conformant;
}
