/** Bytes as text and back: strict where they are judged, reversible where they are shown. */

import { isUtf8 } from 'node:buffer';

/** What bytes say when they are read as UTF-8. */
export interface DecodedText {
  /** Where `utf8` is `false`, each byte that is none stands as `⟦byte ff⟧` (past 64 KiB: as U+FFFD). */
  readonly text: string;
  readonly utf8: boolean;
  readonly byteOrderMark: boolean;
}

/** Above this length odd bytes are no longer shown one by one: each takes nine letters. */
const SHOWN_BYTES = 65_536;

const SHOWN_BYTE = /⟦byte ([0-9a-f]{2})⟧/;

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function shownBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; ) {
    const lead = buffer[at] ?? 0;
    const sequence = buffer.subarray(at, at + sequenceLength(lead));
    const valid = isUtf8(sequence);
    pieces.push(valid ? sequence.toString('utf8') : `⟦byte ${lead.toString(16).padStart(2, '0')}⟧`);
    at += valid ? sequence.length : 1;
  }
  return pieces.join('');
}

/** The bytes read as UTF-8; a byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, utf8: true, byteOrderMark };
  } catch {
    const lossy = (): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return { text: bytes.length > SHOWN_BYTES ? lossy() : shownBytes(bytes), utf8: false, byteOrderMark };
  }
}

/** The bytes that a recorded text stands for: the reverse of `decodeText` up to 64 KiB. */
export function encodeText(text: string, utf8: boolean): Uint8Array {
  if (utf8) return Buffer.from(text, 'utf8');
  const pieces = text.split(SHOWN_BYTE);
  return Buffer.concat(
    pieces.map((piece, at) => (at % 2 === 1 ? Buffer.from(piece, 'hex') : Buffer.from(piece, 'utf8'))),
  );
}
