/** The nonce of a certification decides seed and order, so that nobody can have rehearsed the very run. */

import { UsageError } from '../contract/usage-error.ts';
import { sha256 } from './canonical.ts';

/** Bytes of a nonce that is drawn and not given. */
export const NONCE_BYTES = 16;

/** A nonce as given: hexadecimal, 16 to 128 digits. Throws `UsageError`. */
export function readNonce(text: string): string {
  const nonce = text.toLowerCase();
  if (!/^[0-9a-f]{16,128}$/.test(nonce)) {
    throw new UsageError(`--nonce (${JSON.stringify(text)}) is no nonce: write 16 to 128 hexadecimal digits.`);
  }
  return nonce;
}

/** The seed that follows from a nonce: the first 31 bits of a digest. */
export function seedOf(nonce: string): number {
  return Number.parseInt(sha256(`pcs-conformance/certification\n${nonce}`).slice(0, 8), 16) >>> 1;
}
