/**
 * Reads the raw bytes of a body that may be broken, and lists every member at any depth and every text. A body is
 * readable if it is broken in a known way (cut short, bytes after the value, an extra comma, a byte order mark, bare
 * names), and unreadable if two parsers could take it differently. Names are read as the most lenient reader takes them: letter
 * case, look-alikes and invisible characters make no difference.
 */

import { READ } from '../../contract/limits.ts';
import { endOfMatch } from '../../exchange/json-text.ts';
import { percentDecoded } from '../request-path.ts';

/**
 * One member of an object: its name without escapes and its value as written, empty if the body ends before the value
 * does. Offsets are in `Scan.text`.
 */
export interface ScannedMember {
  readonly name: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** What a body holds. */
export interface Scan {
  /** The body as text, without its byte order mark. */
  readonly text: string;
  readonly members: readonly ScannedMember[];
  /** Names, strings and numbers without quotes and escapes. */
  readonly texts: readonly { readonly text: string; readonly start: number }[];
}

/** The content of a body, or `null` if it cannot be read with certainty. */
export function scanJson(bytes: Uint8Array): Scan | null {
  if (blursQuotes(bytes)) return null;
  const text = new TextDecoder().decode(bytes);
  // In Latin-1 this byte is an ordinal sign, which some parsers fold into the letter o.
  if (text.includes('\uFFFD') && bytes.includes(0xba)) return null;
  const tokens = tokensOf(text);
  const scanner = new Scanner(text);
  if (tokens === null || !tokens.every((token) => scanner.take(token))) return null;
  return { text, members: scanner.end(), texts: tokens.filter(({ kind }) => kind !== 'mark' && kind !== 'cut') };
}

/**
 * Overlong forms of ASCII, and a leading byte that would swallow a quotation mark or a backslash: decoders disagree on
 * where such a string ends.
 */
function blursQuotes(bytes: Uint8Array): boolean {
  const latin = Buffer.from(bytes).toString('latin1');
  return (
    /[\xc0\xc1]|\xe0[\x80-\x9f]|\xf0[\x80-\x8f]/.test(latin) ||
    /[\xc2-\xdf]["\\]|[\xe0-\xef].?["\\]|[\xf0-\xf7].{0,2}["\\]|[\xf8-\xfd].{0,4}["\\]/s.test(latin)
  );
}

/** One token; `text` is without quotes and escapes, `start` and `end` are offsets. `cut`: the body ends within it. */
interface Token {
  readonly kind: 'string' | 'plain-string' | 'number' | 'word' | 'mark' | 'cut-string' | 'cut';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /[ \t\r\n]+|\/\*[A-Za-z ]*\*\/|\/\/[A-Za-z ]*(?:\n|$)/y;

function pastSpace(text: string, start: number): number {
  let at = start;
  for (let end = at; end !== -1; end = endOfMatch(SPACE, text, at)) at = end;
  return at;
}

/** JSON's tokens, and the few others that every lenient parser takes alike. */
const KINDS = [
  ['mark', /[{}[\]:,]/y],
  ['number', /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])/y],
  ['word', /[A-Za-z_$][A-Za-z_$]*(?![\w$])/y],
  ['plain-string', /'[A-Za-z0-9 _.+-]*'/y],
  // The start of a number or of a comment.
  ['cut', /(?:-?(?:0|[1-9][0-9]*)?(?:\.|(?:\.[0-9]+)?[eE][+-]?)|-|\/\*?[A-Za-z ]*\*?)$/y],
] as const;
const STRING_PART = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

/** The tokens of a text, or `null` if one of them cannot be read with certainty. */
function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = pastSpace(text, 0); at < text.length; ) {
    const token = text[at] === '"' ? stringAt(text, at) : otherAt(text, at);
    if (token === null) return null;
    tokens.push(token);
    at = pastSpace(text, token.end);
  }
  return tokens;
}

function otherAt(text: string, start: number): Token | null {
  for (const [kind, pattern] of KINDS) {
    const end = endOfMatch(pattern, text, start);
    const quotes = kind === 'plain-string' ? 1 : 0;
    if (end !== -1) return { kind, text: text.slice(start + quotes, end - quotes), start, end };
  }
  return null;
}

/** Part by part: a pattern for the whole string could take exponential time, or too much stack. */
function stringAt(text: string, start: number): Token | null {
  let at = start + 1;
  for (let end = at; end !== -1; end = endOfMatch(STRING_PART, text, at)) at = end;
  const isWhole = text[at] === '"';
  if (!isWhole && at < text.length && endOfMatch(CUT_ESCAPE, text, at) === -1) return null;
  const value = String(JSON.parse(`${text.slice(start, at)}"`));
  return isWhole
    ? { kind: 'string', text: value, start, end: at + 1 }
    : { kind: 'cut-string', text: value, start, end: text.length };
}

/** The top of the body (`close` is `null`), or an object or array that is open, and what may come next in it. */
interface Frame {
  readonly close: '}' | ']' | null;
  readonly start: number;
  next: 'name' | 'colon' | 'value' | 'comma';
  name: string;
  nameEnd: number;
}

/** Some parser could take such a word for a name, even without quotes and without a colon after it. */
const NUMBER_NAME = /^(?:to|from)$/i;

class Scanner {
  readonly #text: string;
  readonly #members: ScannedMember[] = [];
  readonly #outer: Frame[] = [];
  #frame: Frame = { close: null, start: 0, next: 'value', name: '', nameEnd: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads one token; `false` if parsers could disagree on it. */
  take(token: Token): boolean {
    const frame = this.#frame;
    if (token.kind !== 'mark') return this.#scalar(token, frame);
    if (token.text === '{' || token.text === '[') return this.#open(token, frame);
    if (token.text === '}' || token.text === ']') return this.#close(token, frame);
    if (token.text === ':') {
      if (frame.next !== 'colon') return false;
      frame.next = 'value';
    } else if (frame.close !== null) {
      if (frame.next !== 'comma') return false;
      frame.next = frame.close === '}' ? 'name' : 'value';
    }
    // After the value at the top any comma may follow.
    return true;
  }

  /** All members, including those whose value the body does not complete. */
  end(): readonly ScannedMember[] {
    for (const { close, next, name, nameEnd } of [...this.#outer, this.#frame]) {
      if (close !== '}' || next === 'name' || next === 'comma') continue;
      this.#members.push({ name, raw: '', start: nameEnd, end: this.#text.length });
    }
    return this.#members;
  }

  #scalar({ kind, text, start, end }: Token, frame: Frame): boolean {
    if (frame.next === 'name' && kind !== 'number' && kind !== 'cut') {
      frame.name = text;
      frame.nameEnd = end;
      frame.next = 'colon';
      return true;
    }
    if (frame.next !== 'value' || (kind === 'word' && NUMBER_NAME.test(text))) return false;
    // A cut token is the last one, so its member stays open.
    if (kind !== 'cut' && kind !== 'cut-string') this.#finish(start, end);
    return true;
  }

  #open({ text, start }: Token, frame: Frame): boolean {
    if (frame.next !== 'value') return false;
    this.#outer.push(frame);
    const isObject = text === '{';
    this.#frame = { close: isObject ? '}' : ']', start, next: isObject ? 'name' : 'value', name: '', nameEnd: start };
    return true;
  }

  #close({ text, end }: Token, { close, next, start }: Frame): boolean {
    const outer = this.#outer.at(-1);
    if (outer === undefined) return true;
    if (close !== text || next === 'colon' || (close === '}' && next === 'value')) return false;
    this.#outer.pop();
    this.#frame = outer;
    this.#finish(start, end);
    return true;
  }

  #finish(start: number, end: number): void {
    const frame = this.#frame;
    if (frame.close === null) return;
    frame.next = 'comma';
    if (frame.close === ']') return;
    this.#members.push({ name: frame.name, raw: this.#text.slice(start, end), start, end });
  }
}

/** What a member of a create call names: the called number, the calling number, an application or a trunk. */
export type DialRole = 'to' | 'from' | 'application' | 'trunk';

/**
 * The roles of a member name. `to` and `from` count wherever they are a word of their own (`call.to`, `to[]`),
 * `application_id` and `trunk_id` also at the end of a longer name or without a separator.
 */
export function dialRoles(name: string): readonly DialRole[] {
  const words = readingsOf(name).map((reading) => reading.split(/[^\p{L}\p{N}]+/u));
  const joined = words.map((each) => each.join(''));
  const isNamed = (role: string): boolean => joined.includes(role) || words.some((each) => each.includes(role));
  const isOfKind = (kind: string): boolean => joined.some((each) => each.endsWith(`${kind}id`));
  return [...(['to', 'from'] as const).filter(isNamed), ...(['application', 'trunk'] as const).filter(isOfKind)];
}

/** Some readers keep only ASCII, and what they drop may join two words or separate them. */
function readingsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKD').replace(/[\p{C}\p{M}\uFFFD]/gu, '');
  const lower = text.toLowerCase();
  return [folded.toLowerCase(), lower.replace(/[^ -~]/g, ''), lower.replace(/[^ -~]/g, ' ')];
}

const MEMBER = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*[:=]/u;
const FORM_FIELD = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*=/u;

/** Whether a text, if parsed once more, could hold a member or field named `to` or `from`. */
export function hidesMember(text: string): boolean {
  return /[:=%\\]|[^ -~]/.test(text) && matchesUnescaped(text, MEMBER);
}

/** Whether a text, if parsed as an HTML form, could hold a field named `to` or `from`. */
export function hidesFormField(text: string): boolean {
  return /[=%]|[^\t\n\r -~]/.test(text) && matchesUnescaped(text, FORM_FIELD);
}

function matchesUnescaped(text: string, pattern: RegExp): boolean {
  let layer = text;
  for (let round = 0; round < READ.layers; round += 1) {
    if (readingsOf(layer).some((reading) => pattern.test(reading))) return true;
    const next = unescaped(layer);
    if (next === layer) return false;
    layer = next;
  }
  return true;
}

const ESCAPE = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\(.)|(?:%[0-9a-f]{2})+/gis;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (all, four?: string, two?: string, plain?: string) => {
    if (all.startsWith('%')) return percentDecoded(all);
    const code = four ?? two;
    return code === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(code, 16));
  });
}
