/** `pcs-conformance keygen`: a pair of keys for signing certificates. */

import { createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Algorithm, fingerprintOf, newKeyPair } from '../../certificate/keys.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

function write(path: string, text: string, mode: number): void {
  try {
    // Never over another key: a lost private key cannot be made again.
    writeFileSync(path, text, { mode, flag: 'wx' });
  } catch {
    throw new UsageError(`${path} cannot be written, or there is such a file already: choose another --out.`);
  }
}

/** Writes `OUT.pem`, readable by its owner alone, and `OUT.pub.pem`. Throws `UsageError`. */
export function keygen(out: string, algorithm: Algorithm, terminal: Terminal): ExitCode {
  const { privateKey, publicKey } = newKeyPair(algorithm);
  write(`${out}.pem`, privateKey, 0o600);
  write(`${out}.pub.pem`, publicKey, 0o644);
  terminal.out(`${out}.pem signs: keep it to yourself. ${out}.pub.pem verifies: publish it.`);
  terminal.out(`Key ${fingerprintOf(createPublicKey(publicKey))}`);
  return EXIT_CODES.conformant;
}
