/** Digests that can be compared within a run and reveal nothing outside it. */

import { createHmac, hash } from 'node:crypto';
import { KEPT } from '../contract/limits.ts';

/** Sixteen hexadecimal digits for some bytes, or for a text's UTF-8 bytes. */
export type Digest = (data: Uint8Array | string) => string;

/** A digest that anyone can reproduce. */
export const plainDigest: Digest = (data) => hash('sha256', data).slice(0, 16);

/** HMAC-SHA-256 under the run's random key, so that a phone number cannot be found by trying all of them. */
export function keyedDigest(key: Uint8Array): Digest {
  const known = new Map<string, string>();
  const compute: Digest = (data) => createHmac('sha256', key).update(data).digest('hex').slice(0, 16);
  return (data) => {
    if (typeof data !== 'string' || data.length > KEPT.rememberedText) return compute(data);
    const digest = known.get(data) ?? compute(data);
    if (known.size < KEPT.rememberedTexts) known.set(data, digest);
    return digest;
  };
}

/** The value in the canonical form of RFC 8785: members in the order of UTF-16 code units, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256 as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}
