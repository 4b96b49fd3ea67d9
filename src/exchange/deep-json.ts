/** JSON of very many levels or bytes: as a value it takes many times the room of its text, so only its grammar is read. */

/** More levels than this are not built. */
const MOST_LEVELS = 10_000;

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a string may not hold (RFC 8259, section 7).
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MARKS = '[]{},:';

/** Whether the text opens more levels than are built; brackets in its strings do not count. */
export function isDeep(text: string): boolean {
  if (text.length < 2 * MOST_LEVELS) return false;
  let [levels, inString] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString && unit === BACKSLASH) at += 1;
    else if (unit === QUOTE) inString = !inString;
    else if (!inString && (unit === LIST || unit === OBJECT)) levels += 1;
    else if (!inString && (unit === LIST + 2 || unit === OBJECT + 2)) levels -= 1;
    if (levels > MOST_LEVELS) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, LIST, OBJECT] = [0x22, 0x5c, 0x5b, 0x7b];

/** What may come next: `first` in a list or an object is also its end. */
type Due = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'nothing';

/** Where the match of a sticky expression ends, or -1; nothing is made of what it matches. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** Where the string ends that begins here, or -1; in steps, since a nested repetition would try every split of it. */
function endOfString(text: string, start: number): number {
  let at = endOf(PLAIN, text, start + 1);
  while (text.charAt(at) !== '"') {
    const escaped = endOf(ESCAPE, text, at);
    if (escaped < 0) return -1;
    at = endOf(PLAIN, text, escaped);
  }
  return at + 1;
}

/** Which containers are open, the innermost last: a bit for each, since a text may open millions. */
class OpenContainers {
  #bits = new Uint8Array(1_024);
  size = 0;

  push(isList: boolean): void {
    const byte = this.size >> 3;
    if (byte === this.#bits.length) {
      const wider = new Uint8Array(byte * 2);
      wider.set(this.#bits);
      this.#bits = wider;
    }
    const bit = 1 << (this.size & 7);
    this.#bits[byte] = isList ? (this.#bits[byte] ?? 0) | bit : (this.#bits[byte] ?? 0) & ~bit;
    this.size += 1;
  }

  isListInnermost(): boolean {
    const last = this.size - 1;
    return (((this.#bits[last >> 3] ?? 0) >> (last & 7)) & 1) === 1;
  }

  /** Closes the innermost container if it is of that kind, and says whether it was. */
  close(isList: boolean): boolean {
    if (this.size === 0 || this.isListInnermost() !== isList) return false;
    this.size -= 1;
    return true;
  }
}

/** Whether the text is one JSON value (RFC 8259), read token by token. */
export function isJsonText(text: string): boolean {
  return jsonFault(text) === null;
}

/** Why the text is not one JSON value (RFC 8259), or `null`. */
export function jsonFault(text: string): string | null {
  const open = new OpenContainers();
  let due: Due = 'value';
  let at = endOf(SPACE, text, 0);
  while (due !== 'nothing') {
    const mark = text.charAt(at);
    const isMark = mark !== '' && MARKS.includes(mark);
    const end = isMark ? at + 1 : mark === '"' ? endOfString(text, at) : endOf(SCALAR, text, at);
    const next: Due | null = end < 0 ? null : after(due, isMark ? mark : mark === '"' ? 'string' : 'scalar', open);
    if (next === null) return faultAt(text, at, mark);
    due = next;
    at = text.charCodeAt(end) > 0x20 ? end : endOf(SPACE, text, end);
  }
  return at === text.length ? null : FAULTS.more;
}

/** What a finding says of a text that is not JSON; nothing of it is quoted. */
export const FAULTS = {
  ends: 'it ends before the JSON value is complete',
  more: 'more follows after the JSON value',
  control: 'a string holds a control character that is not escaped',
  other: 'it is not a JSON value',
} as const;

function faultAt(text: string, at: number, mark: string): string {
  if (mark === '') return FAULTS.ends;
  if (mark !== '"') return FAULTS.other;
  let end = endOf(PLAIN, text, at + 1);
  for (let next = end; next >= 0; next = endOf(ESCAPE, text, end)) end = endOf(PLAIN, text, next);
  if (end === text.length) return FAULTS.ends;
  return text.charCodeAt(end) < 0x20 ? FAULTS.control : FAULTS.other;
}

/** What is due after a token, or `null` where it may not stand. */
function after(due: Due, token: string, open: OpenContainers): Due | null {
  const takesValue = due === 'value' || due === 'first value';
  const takesName = due === 'name' || due === 'first name';
  if (token === '[' || token === '{') {
    if (!takesValue) return null;
    open.push(token === '[');
    return token === '[' ? 'first value' : 'first name';
  }
  if (token === ']' || token === '}') {
    const isDue = due === 'comma' || due === (token === ']' ? 'first value' : 'first name');
    return isDue && open.close(token === ']') ? rest(open) : null;
  }
  if (token === ',') return due === 'comma' ? (open.isListInnermost() ? 'value' : 'name') : null;
  if (token === ':') return due === 'colon' ? 'value' : null;
  if (takesName) return token === 'string' ? 'colon' : null;
  return takesValue ? rest(open) : null;
}

const rest = (open: OpenContainers): Due => (open.size === 0 ? 'nothing' : 'comma');
