/**
 * Cuts a text into JSON's tokens and the few foreign ones that every forgiving reader takes alike: bare words, single
 * quotes around plain characters, comments of letters. Anything else makes the text unreadable.
 */

/** One token; `text` is as written, `start` and `end` are offsets in the text. `cut`: the text ends within it. */
export interface Token {
  readonly kind: 'string' | 'plain-string' | 'number' | 'word' | 'mark' | 'cut-string' | 'cut';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /(?:[ \t\r\n]+|\/\*[A-Za-z ]*\*\/|\/\/[A-Za-z ]*(?:\n|$))*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])/y;
/** The beginning of a number, of an escape or of a comment, where the text ends before it is complete. */
const CUT = /(?:-?(?:0|[1-9][0-9]*)?(?:\.|(?:\.[0-9]+)?[eE][+-]?)|-|\/\*?[A-Za-z ]*\*?)$/y;
const WORD = /[A-Za-z_$][A-Za-z_$]*(?![\w$])/y;
const PLAIN_STRING = /'[A-Za-z0-9 _.+-]*'/y;
const MARK = /[{}[\]:,]/y;

/** The tokens of a text, or `null` where one of them cannot be read with certainty. */
export function tokens(text: string): readonly Token[] | null {
  const found: Token[] = [];
  let at = skip(text, 0);
  while (at < text.length) {
    const token = text[at] === '"' ? stringAt(text, at) : otherAt(text, at);
    if (token === null) return null;
    found.push(token);
    at = skip(text, token.end);
  }
  return found;
}

function skip(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return Math.max(at, SPACE.lastIndex);
}

const KINDS = [
  ['mark', MARK],
  ['number', NUMBER],
  ['word', WORD],
  ['plain-string', PLAIN_STRING],
  ['cut', CUT],
] as const;

function otherAt(text: string, start: number): Token | null {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = start;
    if (pattern.test(text)) return { kind, text: text.slice(start, pattern.lastIndex), start, end: pattern.lastIndex };
  }
  return null;
}

const ESCAPED = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const ESCAPE_CUT = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

/** By hand: a pattern with a repeated group could take exponential time, or too much stack, on a long string. */
function stringAt(text: string, start: number): Token | null {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'string', text: text.slice(start, at + 1), start, end: at + 1 };
    if (code < 0x20) return null;
    if (code !== 0x5c) {
      at += 1;
      continue;
    }
    const next = afterEscape(text, at);
    if (next === null) return null;
    at = next;
  }
  return { kind: 'cut-string', text: text.slice(start), start, end: text.length };
}

function afterEscape(text: string, at: number): number | null {
  ESCAPED.lastIndex = at;
  if (ESCAPED.test(text)) return ESCAPED.lastIndex;
  ESCAPE_CUT.lastIndex = at;
  return ESCAPE_CUT.test(text) ? text.length : null;
}

/** What a token says: a string without quotes and escapes, everything else as written. */
export function spoken(token: Token): string {
  switch (token.kind) {
    case 'string':
      return String(JSON.parse(token.text));
    case 'cut-string':
      return String(JSON.parse(`${token.text.replace(/((?:^|[^\\])(?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1')}"`));
    case 'plain-string':
      return token.text.slice(1, -1);
    default:
      return token.text;
  }
}
