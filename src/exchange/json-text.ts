/** Bytes as text, strict for judging and reversible for showing; text as JSON, with its value or what is wrong. */

import { isUtf8 } from 'node:buffer';
import { KEPT, READ } from '../contract/limits.ts';
import { withUsageError } from '../contract/usage-error.ts';

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text (RFC 8259) of at most 10,000 levels, or `undefined` if the text is something else. */
export function parsedJson(text: string): unknown {
  // An exception would cost more than the parsing.
  if (text === '' || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON value of a file's text. Throws `UsageError` naming the file, and the line and column of what is wrong. */
export function parseJson(text: string, path: string): unknown {
  const problem = (): string => `${path} is not valid JSON (${faultPlace(text)})`;
  return withUsageError(() => JSON.parse(text), problem, 'name another file, or repair it');
}

/** Where a text stops being a prefix of JSON. Node 20 does not say this for an extra comma. */
function faultPlace(text: string): string {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if ([null, EARLY_END].includes(jsonFault(text.slice(0, middle)))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** What is wrong with a truncated text. */
export const EARLY_END = 'it ends before the JSON value is complete';

/** What is wrong with a text that is not a JSON value, without quoting it; `null` if nothing is. */
export function jsonFault(text: string): string | null {
  if (isTooDeep(text)) return `it has more than ${READ.levels.toLocaleString('en')} levels`;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return parseFault(String(error), text);
  }
}

/** From the message of the engine, which may quote the text. */
function parseFault(message: string, text: string): string {
  const at = Number(/ at position (\d+)/.exec(message)?.[1] ?? -1);
  if (at >= text.length || /Unexpected end|Unterminated string/.test(message)) {
    return EARLY_END;
  }
  if (message.includes('Bad control character')) return 'a string holds a control character that is not escaped';
  // "404 page not found" is not a number followed by text.
  const isMore = /^\s*[[{"]/.test(text) && message.includes('after JSON');
  return isMore ? 'more follows after the JSON value' : 'it is not a JSON value';
}

/** Whether a value has more levels of lists and objects than that. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  let layer: readonly unknown[] = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    layer = layer.filter((item) => typeof item === 'object' && item !== null);
    if (level === levels && layer.length > 0) return true;
    layer = layer.flatMap((item) => Object.values(item as object));
  }
  return false;
}

/** Whether a text has more levels of lists and objects than are read. */
const isTooDeep = (text: string): boolean => withoutDepth(text) !== text;

/** The text with null for each list or object beyond the levels that are read. */
export function withoutDepth(text: string): string {
  const deepest = READ.levels + 1;
  // Each level takes two characters.
  if (text.length < 2 * deepest) return text;
  const pieces: string[] = [];
  let [level, start] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = pastString(text, at) - 1;
    else if (character === LIST || character === OBJECT) {
      level += 1;
      if (level === deepest) pieces.push(text.slice(start, at), 'null');
    } else if (character === LIST_END || character === OBJECT_END) {
      if (level === deepest) start = at + 1;
      level -= 1;
    }
  }
  if (pieces.length === 0) return text;
  return [...pieces, level < deepest ? text.slice(start) : ''].join('');
}

/** The characters that begin or end a string, a list or an object of JSON. */
export const [QUOTE, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** Where the match of a sticky expression at that place ends, or -1. */
export function endOfMatch(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

const UNESCAPED = /[^"\\]*/y;

/** Where the string ends whose opening quote is at that place; the end of the text if it is not closed. */
export function pastString(text: string, start: number): number {
  let at = endOfMatch(UNESCAPED, text, start + 1);
  while (text.charAt(at) === '\\') at = Math.max(at + 2, endOfMatch(UNESCAPED, text, at + 2));
  return Math.min(at + 1, text.length);
}

/** The text of bytes read as UTF-8. */
export interface DecodedText {
  /** If `utf8` is `false`, each invalid byte is written as `⟦byte ff⟧`; past 64 KiB, or 1,000 of them, as U+FFFD. */
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

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The bytes read as UTF-8; a byte order mark stays in the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const byteOrderMark = Buffer.compare(bytes.subarray(0, 3), BYTE_ORDER_MARK) === 0;
  const utf8 = isUtf8(bytes);
  const shown = !utf8 && bytes.length <= READ.text ? shownBytes(bytes) : null;
  const text = shown ?? `${byteOrderMark ? '\ufeff' : ''}${textOf(bytes)}`;
  return { text, utf8, byteOrderMark };
}

/** The bytes of a recorded text: the reverse of `decodeText` where invalid bytes are shown. */
export function encodeText(text: string, utf8: boolean): Uint8Array {
  if (utf8) return Buffer.from(text, 'utf8');
  const pieces = text.split(/⟦byte ([0-9a-f]{2})⟧/);
  return Buffer.concat(pieces.map((piece, at) => Buffer.from(piece, at % 2 === 1 ? 'hex' : 'utf8')));
}

const UTF8 = new TextDecoder();
/** A cache by bytes: several readers need their text and their JSON value. */
const readings = new WeakMap<Uint8Array, { readonly text: string; value?: unknown }>();

function readingOf(body: Uint8Array): { readonly text: string; value?: unknown } {
  const known = readings.get(body);
  if (known !== undefined) return known;
  const made = { text: UTF8.decode(body) };
  readings.set(body, made);
  return made;
}

/** The text of a body without its byte order mark, decoded once. */
export const textOf = (body: Uint8Array): string => readingOf(body).text;

/** The JSON value of bytes, parsed once, or `undefined` if they are not JSON. */
export function jsonOfBytes(body: Uint8Array): unknown {
  const reading = readingOf(body);
  if (!('value' in reading)) reading.value = parsedJson(reading.text);
  return reading.value;
}

/** A copy of the text: a slice of a long text would keep the whole of it in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
