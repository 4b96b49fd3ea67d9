/** What a body is, without what it says: the byte facts that every check judges by. */

import { abridged, type Bounds } from './abridged.ts';
import { FAULTS, isDeep, jsonFault } from './deep-json.ts';
import type { Digest } from './digest.ts';
import type { RecordedBody } from './exchange.ts';
import { membersOf } from './members.ts';
import { detached, stretchesOf } from './stretches.ts';
import { decodeText } from './utf8.ts';

/** How a body is noted. */
export interface FactOptions {
  /** `false`: no text, and member names that look like data are folded (success bodies). */
  readonly keepText: boolean;
  /** `true`: a kept text is never shortened (requests, and success bodies under `--full-evidence`). */
  readonly keepWhole?: boolean;
  /** Takes the secrets out of a text; called with the whole body, kept or not, and with each member name. */
  readonly redact: (text: string) => string;
  readonly digest: Digest;
  /** Ids of resources and calls, each with the label under which `mentions` lists it; those that are short are not. */
  readonly watch: ReadonlyMap<string, string>;
  /** `true`: the body goes on beyond the bytes that were read. */
  readonly cut?: boolean;
}

/** A longer text of an answer is kept within bounds. */
const WHOLE_TEXT_BYTES = 65_536;
const KEPT: Bounds = { levels: 32, entries: 200, string: 256, total: WHOLE_TEXT_BYTES };
/** Of a longer text, or one of very many levels, only so much becomes a value, whose members are listed 32 levels deep. */
const VALUE_UNITS = 3_145_728;
const LISTED: Bounds = { levels: 33, entries: Infinity, string: WHOLE_TEXT_BYTES, total: VALUE_UNITS / 3 };

/** What lies beyond the limit is not read, so that nothing can be said of the whole. */
const UNREAD = { valid: false, reason: 'it is longer than the limit to which a body is read' } as const;

/** Shorter ids stand in many words and numbers, and may be others' too: they are no evidence. */
const UNMISTAKABLE_LENGTH = 8;

type Parsed = { readonly valid: true; readonly value: unknown } | { readonly valid: false; readonly reason: string };

/** The engine's message quotes the body and varies with its version; only its kind is taken. */
function refusal(message: string, length: number): string {
  const position = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (position === String(length) || /^Unexpected end of JSON|^Unterminated/.test(message)) return FAULTS.ends;
  if (/^Unexpected non-whitespace character after JSON/.test(message)) return FAULTS.more;
  return /^Bad control character/.test(message) ? FAULTS.control : FAULTS.other;
}

/** `JSON.parse` accepts exactly the grammar of RFC 8259: no comments, no trailing commas, no NaN, any value on top. */
function parse(text: string): Parsed {
  const isMarkup = /^\s*</.test(text);
  if (isMarkup) return { valid: false, reason: 'it is markup' };
  if (text.length > VALUE_UNITS || isDeep(text)) return parsePart(text);
  try {
    return { valid: true, value: JSON.parse(text) };
  } catch (error) {
    return { valid: false, reason: refusal(error instanceof Error ? error.message : '', text.length) };
  }
}

/** As a value such a text would take many times its room: all of it is judged by the grammar, and a part is built. */
function parsePart(text: string): Parsed {
  const reason = jsonFault(text);
  if (reason !== null) return { valid: false, reason };
  return { valid: true, value: JSON.parse(abridged(text, LISTED) ?? 'null') };
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
  const reason = options.cut
    ? UNREAD.reason
    : !utf8
      ? 'it is not UTF-8'
      : bytes.length === 0
        ? 'it is empty'
        : byteOrderMark
          ? 'it begins with a byte order mark'
          : parsed.valid
            ? undefined
            : parsed.reason;
  const whole = options.keepWhole === true || bytes.length <= WHOLE_TEXT_BYTES;
  return {
    length: bytes.length,
    digest: digest(bytes),
    utf8,
    byteOrderMark,
    json: reason === undefined ? 'valid' : 'invalid',
    ...(reason === undefined ? {} : { reason }),
    members: utf8 && parsed.valid ? membersOf(parsed.value, { shownName, digest }) : [],
    mentions: mentionsIn(text, options.watch),
    ...(keepText ? (whole ? { text: clean } : keptText(clean, parsed.valid)) : {}),
    ...(options.cut === true ? { cut: true as const } : {}),
  };
}
