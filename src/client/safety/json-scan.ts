/**
 * Reads the raw bytes of a body that may be broken, and lists every text and every member at any depth. A body is
 * readable if it is broken in a known way (cut short, bytes after the value, an extra comma, a byte order mark, bare
 * names), and unreadable if two parsers could disagree on it. Names are read as the most lenient reader would: letter
 * case, look-alikes and invisible characters make no difference.
 */

import { READ } from '../../contract/limits.ts';
import { percentDecoded } from '../../contract/path-text.ts';
import { endOfMatch } from '../../exchange/json-text.ts';

/** What a body holds; offsets are in its `text`, which has no byte order mark. */
export interface Scan {
  readonly text: string;
  /** Of objects: the name without escapes and the value as written, empty if the body ends before the value does. */
  readonly members: readonly {
    readonly name: string;
    readonly raw: string;
    readonly start: number;
    readonly end: number;
  }[];
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
  const members = tokens && scannedMembers(text, tokens);
  if (tokens === null || members === null) return null;
  return { text, members, texts: tokens.filter(({ kind }) => kind !== 'mark' && kind !== 'cut') };
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

/** JSON's tokens, and the few others that all lenient parsers read the same way. */
const TOKEN_KINDS = [
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
  for (const [kind, pattern] of TOKEN_KINDS) {
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
  readonly name: string;
  readonly nameEnd: number;
}

/** Some parser could take such a word for a name, even without quotes and a colon. */
const NUMBER_NAME = /^(?:to|from)$/i;

/** All members, including those whose value the body does not complete; `null` if parsers could disagree on a token. */
function scannedMembers(text: string, tokens: readonly Token[]): Scan['members'] | null {
  const members: Scan['members'][number][] = [];
  const outer: Frame[] = [];
  let frame: Frame = { close: null, start: 0, next: 'value', name: '', nameEnd: 0 };
  const finish = (start: number, end: number): void => {
    if (frame.close === null) return;
    frame.next = 'comma';
    if (frame.close === '}') members.push({ name: frame.name, raw: text.slice(start, end), start, end });
  };
  for (const { kind, text: read, start, end } of tokens) {
    const mark = kind === 'mark' ? read : '';
    if (mark === '{' || mark === '[') {
      if (frame.next !== 'value') return null;
      outer.push(frame);
      const of = mark === '{' ? ({ close: '}', next: 'name' } as const) : ({ close: ']', next: 'value' } as const);
      frame = { ...of, start, name: '', nameEnd: start };
    } else if (mark === '}' || mark === ']') {
      const { close, next, start: opened } = frame;
      const around = outer.pop();
      if (around === undefined) continue;
      if (close !== mark || next === 'colon' || (close === '}' && next === 'value')) return null;
      frame = around;
      finish(opened, end);
    } else if (mark === ':') {
      if (frame.next !== 'colon') return null;
      frame.next = 'value';
    } else if (mark === ',') {
      // Any comma may follow the top-level value.
      if (frame.close === null) continue;
      if (frame.next !== 'comma') return null;
      frame.next = frame.close === '}' ? 'name' : 'value';
    } else if (frame.next === 'name' && kind !== 'number' && kind !== 'cut') {
      frame = { ...frame, name: read, nameEnd: end, next: 'colon' };
    } else {
      if (frame.next !== 'value' || (kind === 'word' && NUMBER_NAME.test(read))) return null;
      // A cut token is the last one, so its member stays open.
      if (kind !== 'cut' && kind !== 'cut-string') finish(start, end);
    }
  }
  const open = [...outer, frame].filter(({ close, next }) => close === '}' && next !== 'name' && next !== 'comma');
  return [...members, ...open.map(({ name, nameEnd }) => ({ name, raw: '', start: nameEnd, end: text.length }))];
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

/** Some readers keep only ASCII, and the characters that they drop may join two words or separate them. */
function readingsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKD').replace(/[\p{C}\p{M}\uFFFD]/gu, '');
  const lower = text.toLowerCase();
  return [folded.toLowerCase(), lower.replace(/[^ -~]/g, ''), lower.replace(/[^ -~]/g, ' ')];
}

const MEMBER = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*[:=]/u;
const FORM_FIELD = /(?:^|[^\p{L}\p{N}])(?:to|from)[^\p{L}\p{N}]*=/u;

/** Whether a text, if parsed once more, could hold a member or field named `to` or `from`. */
export const hidesMember = (text: string): boolean => /[:=%\\]|[^ -~]/.test(text) && matchesUnescaped(text, MEMBER);

/** Whether a text, if parsed as an HTML form, could hold a field named `to` or `from`. */
export const hidesFormField = (text: string): boolean =>
  /[=%]|[^\t\n\r -~]/.test(text) && matchesUnescaped(text, FORM_FIELD);

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
  return text.replace(ESCAPE, (all, four?: string, two?: string, plain = '') => {
    if (all.startsWith('%')) return percentDecoded(all);
    const code = four ?? two;
    return code === undefined ? plain : String.fromCharCode(Number.parseInt(code, 16));
  });
}
