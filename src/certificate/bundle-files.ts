/** The files of a bundle: their canonical form, their digests, and what rejects them. */

import { createHash } from 'node:crypto';
import { visible } from '../report/text.ts';

/** The contents of files by name. */
export type Bytes = ReadonlyMap<string, Uint8Array>;

/**
 * A bundle is rejected: it contradicts its signature, itself or what follows from its record. The message is a phrase.
 * It may quote the bundle, so control characters are escaped for the terminal.
 */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';

  constructor(phrase: string) {
    super(visible(phrase));
  }
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
  return createHash('sha256').update(data).digest('hex');
}

/** The text of a file. Throws `Disagreement` if it is missing or not UTF-8. */
export function textOf(bytes: Bytes, name: string): string {
  const data = bytes.get(name);
  if (data === undefined) throw new Disagreement(`${name} is missing`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new Disagreement(`${name} is not UTF-8`);
  }
}

/** The JSON value of a text, or `undefined` if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON value of a text that is exactly what `write` makes of that value. Throws `Disagreement`. */
export function parseCanonical(text: string, name: string, write: (value: unknown) => string = canonicalJson): unknown {
  const value = jsonIn(text);
  if (value === undefined) throw new Disagreement(`${name} is not JSON`);
  // A second way to write the same value could replace the first without breaking the signature.
  if (`${write(value)}\n` !== text) throw new Disagreement(`${name} is not in its canonical form`);
  return value;
}
