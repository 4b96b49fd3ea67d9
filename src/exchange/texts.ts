/** Bytes as text and back, strict where they are judged and reversible where they are shown. */

import { isUtf8 } from 'node:buffer';
import { KEPT, READ } from '../contract/limits.ts';
import { parsedJson } from './json-text.ts';

/** The text of bytes that are read as UTF-8. */
export interface DecodedText {
  /** Where `utf8` is `false`, each byte that is not UTF-8 stands as `⟦byte ff⟧`; past 64 KiB, or 1,000 of them, as U+FFFD. */
  readonly text: string;
  readonly utf8: boolean;
  readonly byteOrderMark: boolean;
}

function shownBytes(bytes: Uint8Array): string | null {
  const pieces: string[] = [];
  let invalid = 0;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; ) {
    const lead = buffer[at] ?? 0;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const sequence = buffer.subarray(at, at + length);
    const valid = isUtf8(sequence);
    if (!valid) invalid += 1;
    if (invalid > KEPT.brokenBytes) return null;
    pieces.push(valid ? sequence.toString('utf8') : `⟦byte ${lead.toString(16).padStart(2, '0')}⟧`);
    at += valid ? sequence.length : 1;
  }
  return pieces.join('');
}

/** The bytes read as UTF-8; a byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const utf8 = isUtf8(bytes);
  const shown = !utf8 && bytes.length <= READ.text ? shownBytes(bytes) : null;
  const text = shown ?? `${byteOrderMark ? '\ufeff' : ''}${textOf(bytes)}`;
  return { text, utf8, byteOrderMark };
}

/** The bytes that a recorded text stands for: the reverse of `decodeText` where invalid bytes are shown. */
export function encodeText(text: string, utf8: boolean): Uint8Array {
  if (utf8) return Buffer.from(text, 'utf8');
  const pieces = text.split(/⟦byte ([0-9a-f]{2})⟧/);
  return Buffer.concat(pieces.map((piece, at) => Buffer.from(piece, at % 2 === 1 ? 'hex' : 'utf8')));
}

const UTF8 = new TextDecoder();
/** What was read of bytes: several readers need their text, and their JSON value. */
const readings = new WeakMap<Uint8Array, { readonly text: string; value?: unknown }>();

function readingOf(body: Uint8Array): { readonly text: string; value?: unknown } {
  const known = readings.get(body);
  if (known !== undefined) return known;
  const made = { text: UTF8.decode(body) };
  readings.set(body, made);
  return made;
}

/** The text of a body without its byte order mark; it is made once. */
export const textOf = (body: Uint8Array): string => readingOf(body).text;

/** The JSON value of bytes, parsed once, or `undefined` where they hold none. */
export function jsonOf(body: Uint8Array): unknown {
  const reading = readingOf(body);
  if (!('value' in reading)) reading.value = parsedJson(reading.text);
  return reading.value;
}

/** A copy of the text: a slice of a long text would keep the whole of it in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
