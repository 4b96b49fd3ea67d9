/** Digests that can be compared within a run and reveal nothing outside it. */

import { createHmac, hash } from 'node:crypto';
import { KEPT } from '../contract/limits.ts';

/** Sixteen hexadecimal digits for some bytes, or for a text's UTF-8 bytes. */
export type Digest = (data: Uint8Array | string) => string;

/** Strings that a run of this suite has written: they carry its mark, and anyone may know them. */
const OWN = /^"pcs-conformance [0-9a-f]{8}\b/;

/** A digest that anyone can make again. */
export const plainDigest: Digest = (data) => hash('sha256', data).slice(0, 16);

/** The digest, without any key, of what the suite itself has written; `null` for anything else. */
export function ownDigest(data: Uint8Array | string): string | null {
  return typeof data === 'string' && OWN.test(data) ? plainDigest(data) : null;
}

/** HMAC-SHA-256 under the run's random key, so that a phone number cannot be found by trying all of them. */
export function keyedDigest(key: Uint8Array): Digest {
  const known = new Map<string, string>();
  const compute: Digest = (data) =>
    ownDigest(data) ?? createHmac('sha256', key).update(data).digest('hex').slice(0, 16);
  return (data) => {
    if (typeof data !== 'string' || data.length > KEPT.rememberedText) return compute(data);
    const digest = known.get(data) ?? compute(data);
    if (known.size < KEPT.rememberedTexts) known.set(data, digest);
    return digest;
  };
}

/** Stands for a value once the key is gone: equal bytes have equal names, as a whole body or as a value in one. */
export const nameOf: Digest = (data) => ownDigest(data) ?? `=${Buffer.from(data).toString('base64')}`;

/** Pairs the digests of a record whose key is gone with the values that they stand for. */
export class DigestBook {
  readonly #values = new Map<string, string>();
  readonly #digests = new Map<string, string>();

  /** Whether the digest can stand for the value and for no other one; a value without `=` is its own digest. */
  standsFor(digest: string | null, value: string | null): boolean {
    if (digest === null || value === null || !value.startsWith('=')) return digest === value;
    const [known, own] = [this.#values.get(digest) ?? value, this.#digests.get(value) ?? digest];
    this.#values.set(digest, value);
    this.#digests.set(value, digest);
    return known === value && own === digest;
  }
}
