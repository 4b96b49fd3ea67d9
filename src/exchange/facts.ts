/** Facts about a body without its content: every check judges by them. */

import { abridged, type Bounds } from './abridged.ts';
import type { Digest } from './digest.ts';
import type { JsonType, RecordedBody, RecordedMember } from './exchange.ts';
import { isObject, parsedJson, readJson } from './json-text.ts';
import { decodeText, detached, stretchesOf } from './texts.ts';

/** How a body is recorded. */
export interface FactOptions {
  /** `false`: no text, and member names that look like data are folded (success bodies). */
  readonly keepText: boolean;
  /** `true`: a kept text is never shortened (requests, and success bodies under `--full-evidence`). */
  readonly keepWhole?: boolean;
  /** Redacts a text; called with the whole body, kept or not, and with each member name. */
  readonly redact: (text: string) => string;
  readonly digest: Digest;
  /** Ids of resources and calls, each with its label in `mentions`; short ids are not listed. */
  readonly watch: ReadonlyMap<string, string>;
  /** `true`: the body goes on beyond the bytes that were read. */
  readonly cut?: boolean;
}

/** A longer text of an answer is kept within bounds. */
export const WHOLE_TEXT_BYTES = 65_536;
const KEPT: Bounds = { levels: 32, entries: 200, string: 256, total: WHOLE_TEXT_BYTES };
/** Of a text with more levels, or a longer one, only a part becomes a value, whose members are listed 32 levels deep. */
const MOST_LEVELS = 10_000;
const VALUE_LENGTH = 3_145_728;
const LISTED: Bounds = { levels: 33, entries: Infinity, string: WHOLE_TEXT_BYTES, total: VALUE_LENGTH / 3 };

type Parsed = { readonly valid: true; readonly value: unknown } | { readonly valid: false; readonly reason: string };

/** What lies beyond the limit is not read, so that nothing can be said of the whole. */
const UNREAD = { valid: false, reason: 'it exceeds the size limit' } as const;

/** Shorter ids occur in words and numbers by chance, so they prove nothing. */
const UNMISTAKABLE_LENGTH = 8;

/** `JSON.parse` accepts exactly the grammar of RFC 8259: no comments, no trailing commas, no NaN, any value on top. */
function parse(text: string): Parsed {
  if (/^\s*</.test(text)) return { valid: false, reason: 'it is markup' };
  if (text.length > 2 * MOST_LEVELS) {
    const { fault, levels } = readJson(text);
    if (fault !== null) return { valid: false, reason: fault };
    // As a value such a text would take many times its room: only a part becomes one.
    const isLarge = levels > MOST_LEVELS || text.length > VALUE_LENGTH;
    return { valid: true, value: JSON.parse((isLarge ? abridged(text, LISTED) : text) ?? 'null') };
  }
  const value = parsedJson(text);
  return value === undefined ? { valid: false, reason: readJson(text).fault ?? '' } : { valid: true, value };
}

function mentionsIn(text: string, watch: FactOptions['watch']): readonly string[] {
  const sought = [...watch].filter(([id]) => id.length >= UNMISTAKABLE_LENGTH);
  const found = new Set<string>();
  for (const stretch of stretchesOf(text)) {
    const lower = stretch.text.toLowerCase();
    for (const [id, label] of sought) if (lower.includes(id.toLowerCase())) found.add(label);
  }
  return [...found].sort();
}

/** A map may have phone numbers or ids for names: a name with seven digits or past 64 characters is data. */
function foldedName(name: string): string {
  return name.length > 64 || name.replace(/[^0-9]/g, '').length >= 7 ? '⟦name⟧' : name;
}

function keptText(clean: string, json: boolean): Pick<RecordedBody, 'text' | 'pruned'> {
  const short = json ? abridged(clean, KEPT) : null;
  return { text: detached(short ?? `${clean.slice(0, WHOLE_TEXT_BYTES)}…`), pruned: true };
}

const MOST_MEMBERS = 200;
/** Letters of all pointers of a body: names may be long, and each pointer repeats those above it. */
const MOST_POINTERS = 65_536;
const DEEPEST = 32;

/** The JSON type of a parsed value; a number without a fraction is an integer, as JSON Schema has it. */
function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  return 'object';
}

/** What the record holds of a value outside arrays. */
function shownOf(value: unknown, digest: Digest): Pick<RecordedMember, 'value' | 'digest'> {
  if (typeof value === 'boolean') return { value };
  return typeof value === 'object' && value !== null ? {} : { digest: digest(JSON.stringify(value)) };
}

/**
 * At most 200 members of a parsed body, with pointers of 64 KiB in all, 32 levels deep, in the order of the document: the body itself first (pointer
 * `''`), array indices written `-`, each pair of pointer and type once.
 */
function membersOf(
  body: unknown,
  shownName: (name: string) => string,
  digest: Digest,
): Pick<RecordedBody, 'members' | 'membersCut'> {
  const members: RecordedMember[] = [];
  const segments = new Map<string, string>();
  const segmentOf = (name: string): string => {
    const segment = segments.get(name) ?? shownName(name).replaceAll('~', '~0').replaceAll('/', '~1');
    segments.set(name, segment);
    return segment;
  };
  const types = new Map<string, Set<JsonType>>();
  let room = MOST_POINTERS;
  let isCut = false;
  const visit = (pointer: string, depth: number, inArray: boolean, value: unknown): void => {
    const type = jsonTypeOf(value);
    isCut ||= pointer.length > room;
    if (isCut) return;
    const known = types.get(pointer) ?? new Set();
    types.set(pointer, known);
    if (!known.has(type)) {
      members.push({ pointer, type, ...(inArray ? {} : shownOf(value, digest)) });
      room -= pointer.length;
    }
    known.add(type);
    if (depth === DEEPEST) return;
    if (Array.isArray(value)) {
      const items = `${pointer}/-`;
      // A list of one is a record in another shape.
      const isShared = inArray || value.length !== 1;
      // A list of a million numbers has one member: only what is new or can hold something new is looked at.
      for (const item of value) {
        if (members.length === MOST_MEMBERS) return;
        if (typeof item === 'object' || !types.get(items)?.has(jsonTypeOf(item)))
          visit(items, depth + 1, isShared, item);
      }
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (members.length === MOST_MEMBERS) return;
        visit(`${pointer}/${segmentOf(name)}`, depth + 1, inArray, member);
      }
    }
  };
  visit('', 0, false, body);
  return { members, ...(isCut ? { membersCut: true as const } : {}) };
}

/** Whether the text of a body may hold a placeholder for a secret. */
export function holdsPlaceholder({ text }: Pick<RecordedBody, 'text'>): boolean {
  return text?.includes('⟦') === true;
}

/**
 * The facts of a body's bytes. JSON behind a byte order mark is `invalid` (RFC 8259, section 8.1), but its members are
 * listed: the mark is then the only thing wrong with it.
 */
export function bodyFacts(bytes: Uint8Array, options: FactOptions): RecordedBody {
  const { keepText, redact, digest } = options;
  const { text, utf8, byteOrderMark } = decodeText(bytes);
  const clean = redact(text);
  // What was cut is rarely JSON and never all of it.
  const parsed = options.cut === true ? UNREAD : parse(byteOrderMark ? text.slice(1) : text);
  const shownName = (name: string): string => redact(keepText ? name : foldedName(name));
  const faults = [
    options.cut === true && UNREAD.reason,
    !utf8 && 'it is not UTF-8',
    bytes.length === 0 && 'it is empty',
    byteOrderMark && 'it begins with a byte order mark',
    !parsed.valid && parsed.reason,
  ];
  const reason = faults.find((fault) => fault !== false);
  const whole = options.keepWhole === true || bytes.length <= WHOLE_TEXT_BYTES;
  return {
    length: bytes.length,
    digest: digest(bytes),
    utf8,
    byteOrderMark,
    json: reason === undefined ? 'valid' : 'invalid',
    ...(reason === undefined ? {} : { reason }),
    ...(utf8 && parsed.valid ? membersOf(parsed.value, shownName, digest) : { members: [] }),
    mentions: mentionsIn(text, options.watch),
    ...(keepText ? (whole ? { text: clean } : keptText(clean, parsed.valid)) : {}),
    ...(options.cut === true ? { cut: true as const } : {}),
  };
}
