/** Digests that compare equal within a run and say nothing to anybody outside it. */

import { createHmac } from 'node:crypto';

/** Sixteen hexadecimal digits for some bytes, or for a text's UTF-8 bytes. */
export type Digest = (data: Uint8Array | string) => string;

/** HMAC-SHA-256 under the run's random key, so that nobody can find a phone number by trying them all. */
export function keyedDigest(key: Uint8Array): Digest {
  return (data) => createHmac('sha256', key).update(data).digest('hex').slice(0, 16);
}
