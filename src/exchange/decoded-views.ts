/** A text as its readers may see it: percent, backslash and HTML escapes undone, each unit with its first place. */

/** One reading of a text. `origin[i]` is where unit `i` begins in the original; `null`: it is the original. */
export interface View {
  readonly text: string;
  readonly origin: Uint32Array | null;
}

/** Three levels read a percent-encoded string inside JSON inside a JSON string. */
const LEVELS = 3;

const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    sol: '/',
    plus: '+',
    equals: '=',
    lowbar: '_',
    hyphen: '-',
    percnt: '%',
    colon: ':',
    period: '.',
    nbsp: ' ',
  }).map(([name, character]) => [name, character.charCodeAt(0)]),
);

const JSON_SHORT: ReadonlyMap<string, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter, character.charCodeAt(0)],
  ),
);

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,6})(?=;));?/iy;

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function hexNumber(text: string, from: number, digits: number): number {
  let number = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = at < text.length ? hexDigit(text.charCodeAt(at)) : -1;
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

// An escape is one number, code point times 16 plus its length: megabytes of escapes then allocate nothing.
const NO_ESCAPE = 0;

function percentEscape(text: string, at: number): number {
  const byte = hexNumber(text, at + 1, 2);
  return byte < 0 ? NO_ESCAPE : byte * 16 + 3;
}

/** `\160` and `\x70` are no JSON, but programs print them. */
function octalEscape(text: string, at: number): number {
  const digits = text.slice(at + 1, at + 4);
  return /^[0-3][0-7]{2}$/.test(digits) ? Number.parseInt(digits, 8) * 16 + 4 : NO_ESCAPE;
}

function backslashEscape(text: string, at: number): number {
  const letter = text[at + 1] ?? '';
  const short = JSON_SHORT.get(letter);
  if (short !== undefined) return short * 16 + 2;
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  const unit = digits === 0 ? -1 : hexNumber(text, at + 2, digits);
  return unit < 0 ? octalEscape(text, at) : unit * 16 + 2 + digits;
}

function htmlEscape(text: string, at: number): number {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return NO_ESCAPE;
  const [whole, hex, decimal, name] = match;
  const code =
    name !== undefined
      ? NAMED.get(name.toLowerCase())
      : hex !== undefined
        ? Number.parseInt(hex, 16)
        : Number.parseInt(decimal ?? '', 10);
  return code === undefined || code > 0x10ffff ? NO_ESCAPE : code * 16 + whole.length;
}

function escapeAt(text: string, at: number, unit: number): number {
  if (unit === 37) return percentEscape(text, at);
  if (unit === 92) return backslashEscape(text, at);
  return unit === 38 ? htmlEscape(text, at) : NO_ESCAPE;
}

function unitsToText(units: Uint16Array, highest: number): string {
  if (highest < 256) return Buffer.from(units).toString('latin1');
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}

/** The same text with one level of escapes undone, or `null` where it holds none. */
function decoded(view: View): View | null {
  const { text } = view;
  // Three looks for one sign each are much faster than one for three.
  if (!text.includes('\\') && !text.includes('%') && !text.includes('&')) return null;
  const units = new Uint16Array(text.length);
  const origin = new Uint32Array(text.length + 1);
  const place = (at: number): number => (view.origin === null ? at : (view.origin[at] ?? 0));
  let length = 0;
  let highest = 0;
  let escapes = 0;
  for (let at = 0; at < text.length; ) {
    let unit = text.charCodeAt(at);
    const sequence = escapeAt(text, at, unit);
    const start = place(at);
    at += sequence === NO_ESCAPE ? 1 : sequence & 15;
    if (sequence !== NO_ESCAPE) {
      escapes++;
      unit = sequence >> 4;
    }
    if (unit > 0xffff) {
      origin[length] = start;
      units[length++] = 0xd800 + ((unit - 0x10000) >> 10);
      unit = 0xdc00 + ((unit - 0x10000) & 0x3ff);
    }
    if (unit > highest) highest = unit;
    origin[length] = start;
    units[length++] = unit;
  }
  if (escapes === 0) return null;
  origin[length] = place(text.length);
  const plain = unitsToText(units.subarray(0, length), highest);
  return { text: plain, origin: origin.subarray(0, length + 1) };
}

/** The text itself and its decoded readings, up to three levels deep, shallowest first. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [{ text, origin: null }];
  for (let level = 0; level < LEVELS; level++) {
    const last = views.at(-1);
    const next = last === undefined ? null : decoded(last);
    if (next === null) break;
    views.push(next);
  }
  return views;
}

/** The deepest reading of a text. */
export function settled(text: string): string {
  return viewsOf(text).at(-1)?.text ?? text;
}

function firstAtLeast(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range of the original, widened so that it cuts no escape sequence of any reading in two. */
export function widened(views: readonly View[], start: number, end: number): readonly [start: number, end: number] {
  let [from, to] = [start, end];
  for (const { origin } of [...views].reverse()) {
    if (origin === null) continue;
    const first = firstAtLeast(origin, from);
    if ((origin[first] ?? from) > from) from = origin[first - 1] ?? from;
    to = origin[firstAtLeast(origin, to)] ?? to;
  }
  return [from, to];
}
