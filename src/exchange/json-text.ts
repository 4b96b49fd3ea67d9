/** JSON texts of any size and depth, read token by token: as a value such a text takes many times its room. */

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or `undefined` where it is none; a text of any size or depth is for `readJson` first. */
export function parsedJson(text: string): unknown {
  // An exception costs more than all that is parsed here.
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string may not hold them (RFC 8259, section 7).
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What a finding says of a text that is not JSON; nothing of it is quoted. */
const FAULTS = {
  ends: 'it ends before the JSON value is complete',
  more: 'more follows after the JSON value',
  control: 'a string holds a control character that is not escaped',
  other: 'it is not a JSON value',
} as const;

/** Whether the text is one JSON value (RFC 8259). */
export function isJsonText(text: string): boolean {
  return readJson(text).fault === null;
}

/** What may come next: `first` in a list or an object is also its end. */
type Due = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'nothing';

/** The open containers, innermost last: 1 for a list, 0 for an object; and the most that were open at once. */
interface Open {
  readonly lists: Uint8Array;
  size: number;
  levels: number;
}

/** Why the text is not one JSON value (RFC 8259), or `null`, and how many levels it has up to there. */
export function readJson(text: string): { readonly fault: string | null; readonly levels: number } {
  const open: Open = { lists: new Uint8Array(text.length), size: 0, levels: 0 };
  let due: Due = 'value';
  let at = pastSpace(text, 0);
  while (due !== 'nothing') {
    const mark = text.charAt(at);
    const isMark = mark !== '' && '[]{},:'.includes(mark);
    const end = isMark ? at + 1 : mark === '"' ? endOfString(text, at) : endOfMatch(SCALAR, text, at);
    const next: Due | null = end < 0 ? null : after(due, isMark ? mark : mark === '"' ? 'string' : 'scalar', open);
    if (next === null) return { fault: faultAt(text, at, mark), levels: open.levels };
    due = next;
    at = pastSpace(text, end);
  }
  // A text such as "404 page not found" is not a number that more follows.
  const isText = !/^\s*[[{"]/.test(text);
  return { fault: at === text.length ? null : isText ? FAULTS.other : FAULTS.more, levels: open.levels };
}

/** Where the match of a sticky expression at that place ends, or -1. */
export function endOfMatch(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** Where JSON's white space ends that begins at that place; most texts have none between their tokens. */
export function pastSpace(text: string, at: number): number {
  return text.charCodeAt(at) > 0x20 ? at : Math.max(at, endOfMatch(SPACE, text, at));
}

const UNESCAPED = /[^"\\]*/y;

/** Where a string ends whose opening quote is at that place, whatever it holds; the end of the text if it has no end. */
export function pastString(text: string, start: number): number {
  let at = endOfMatch(UNESCAPED, text, start + 1);
  while (text.charAt(at) === '\\') at = Math.max(at + 2, endOfMatch(UNESCAPED, text, at + 2));
  return Math.min(at + 1, text.length);
}

/** Where a string stops: at its closing quote, or what no string may hold; in steps, since a nested repetition would try every split of it. */
function stopOfString(text: string, start: number): number {
  let at = endOfMatch(PLAIN, text, start + 1);
  for (let end = at; end >= 0; end = endOfMatch(JSON_ESCAPE, text, at)) at = endOfMatch(PLAIN, text, end);
  return at;
}

function endOfString(text: string, start: number): number {
  const stop = stopOfString(text, start);
  return text[stop] === '"' ? stop + 1 : -1;
}

function faultAt(text: string, at: number, mark: string): string {
  const stop = mark === '"' ? stopOfString(text, at) : at;
  if (stop === text.length) return FAULTS.ends;
  return mark === '"' && text.charCodeAt(stop) < 0x20 ? FAULTS.control : FAULTS.other;
}

/** What is due after a token, or `null` where that may not stand. */
function after(due: Due, token: string, open: Open): Due | null {
  const isInList = open.lists[open.size - 1] === 1;
  const rest = (): Due => (open.size === 0 ? 'nothing' : 'comma');
  const takesValue = due === 'value' || due === 'first value';
  if (token === '[' || token === '{') {
    if (!takesValue) return null;
    open.lists[open.size] = token === '[' ? 1 : 0;
    open.size += 1;
    open.levels = Math.max(open.levels, open.size);
    return token === '[' ? 'first value' : 'first name';
  }
  if (token === ']' || token === '}') {
    const isDue = due === 'comma' || due === (token === ']' ? 'first value' : 'first name');
    if (!isDue || open.size === 0 || isInList !== (token === ']')) return null;
    open.size -= 1;
    return rest();
  }
  if (token === ',') return due !== 'comma' ? null : isInList ? 'value' : 'name';
  if (token === ':') return due === 'colon' ? 'value' : null;
  if (due === 'name' || due === 'first name') return token === 'string' ? 'colon' : null;
  return takesValue ? rest() : null;
}
