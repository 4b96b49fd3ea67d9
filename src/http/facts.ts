/** What a body is, without what it says: the byte facts that every check judges by. */

import { isDeep, isJsonText } from './deep-json.ts';
import type { Digest } from './digest.ts';
import type { RecordedBody } from './exchange.ts';
import { changeStringValues, shortened } from './json-strings.ts';
import { membersOf } from './members.ts';
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
}

/** A longer text of an answer is kept with its strings shortened. */
const WHOLE_TEXT_BYTES = 65_536;
const SHORT_STRING = 256;

/** Shorter ids stand in many words and numbers, and may be others' too: they are no evidence. */
const UNMISTAKABLE_LENGTH = 8;

type Parsed = { readonly valid: true; readonly value: unknown } | { readonly valid: false; readonly reason: string };

/** The engine's message quotes the body and varies with its version; only its kind is taken. */
function refusal(message: string, length: number): string {
  const position = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (position === String(length) || /^Unexpected end of JSON|^Unterminated/.test(message))
    return 'it ends before the JSON value is complete';
  if (/^Unexpected non-whitespace character after JSON/.test(message)) return 'more follows after the JSON value';
  if (/^Bad control character/.test(message)) return 'a string holds a control character that is not escaped';
  return 'it is not a JSON value';
}

/** `JSON.parse` accepts exactly the grammar of RFC 8259: no comments, no trailing commas, no NaN, any value on top. */
function parse(text: string): Parsed {
  // Of very many levels nothing but the outermost is told anyway.
  if (isDeep(text) && isJsonText(text)) return { valid: true, value: text.trimStart().startsWith('[') ? [] : {} };
  try {
    return { valid: true, value: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { valid: false, reason: text.trimStart().startsWith('<') ? 'it is markup' : refusal(message, text.length) };
  }
}

function mentionsIn(text: string, watch: FactOptions['watch']): readonly string[] {
  const lower = text.toLowerCase();
  const isThere = (id: string): boolean => id.length >= UNMISTAKABLE_LENGTH && lower.includes(id.toLowerCase());
  const found = [...watch].filter(([id]) => isThere(id));
  return [...new Set(found.map(([, label]) => label))].sort();
}

/** A map may have phone numbers or ids for names: a name with seven digits or past 64 characters is data. */
function foldedName(name: string): string {
  return name.length > 64 || name.replace(/[^0-9]/g, '').length >= 7 ? '⟦name⟧' : name;
}

function keptText(clean: string, json: boolean): Pick<RecordedBody, 'text' | 'pruned'> {
  if (!json) return { text: `${clean.slice(0, WHOLE_TEXT_BYTES)}…`, pruned: true };
  return { text: changeStringValues(clean, (inside) => shortened(inside, SHORT_STRING)), pruned: true };
}

/**
 * The facts of a body's bytes. JSON behind a byte order mark is `invalid` (RFC 8259, section 8.1), but its members are
 * listed: the mark is then the only thing wrong with it.
 */
export function bodyFacts(bytes: Uint8Array, options: FactOptions): RecordedBody {
  const { keepText, redact, digest } = options;
  const { text, utf8, byteOrderMark } = decodeText(bytes);
  const clean = redact(text);
  const parsed = parse(byteOrderMark ? text.slice(1) : text);
  const shownName = (name: string): string => redact(keepText ? name : foldedName(name));
  const reason = !utf8
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
  };
}
