/** A long JSON text made short and kept valid: linear, level by level, with nothing parsed and no recursion. */

/** Where an abridged text ends. */
export interface Bounds {
  /** Containers within more levels than this are emptied. */
  readonly levels: number;
  /** Further members of an object, or items of a list, are dropped. */
  readonly entries: number;
  /** Longer strings and names are shortened. */
  readonly string: number;
  /** After so many characters, only the members of the error envelope are begun. */
  readonly total: number;
}

/** Members that are kept wherever they stand, since an error is judged by them, each with those inside it. */
interface Lasting {
  readonly [name: string]: Lasting;
}

const ENVELOPE: Lasting = { success: {}, error: { code: {}, message: {} } };
/** The longest name of the envelope, with each character escaped, is shorter. */
const ESCAPED_NAME = 64;
/** A number of more digits is written as 0. */
const LONGEST_NUMBER = 64;
/** Members of the envelope may come again and again: the text is given up beyond so many times the total. */
const OVERRUN = 4;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^\s,:[\]{}"]+/y;
const STRING = /[^"\\]*/y;
const [QUOTE, LIST, OBJECT] = [0x22, 0x5b, 0x7b];

function past(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  expression.test(text);
  return Math.max(at, expression.lastIndex);
}

/** Most texts have no space between their tokens. */
const pastSpace = (text: string, at: number): number => (text.charCodeAt(at) > 0x20 ? at : past(SPACE, text, at));

function pastString(text: string, start: number): number {
  let at = past(STRING, text, start + 1);
  while (text.charAt(at) === '\\') at = past(STRING, text, at + 2);
  return Math.min(at + 1, text.length);
}

/** Where a value ends. The brackets of a container are counted, except those in strings. */
function pastValue(text: string, start: number): number {
  let levels = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = pastString(text, at) - 1;
    else if (unit === LIST || unit === OBJECT) levels += 1;
    else if (unit === LIST + 2 || unit === OBJECT + 2) levels -= 1;
    else if (levels === 0) return Math.max(past(SCALAR, text, at), at + 1);
    if (levels === 0) return at + 1;
  }
  return text.length;
}

/** The first characters of a string in quotes, never half of an escape or of a surrogate pair. */
function shortened(quoted: string, limit: number): string {
  if (quoted.length - 2 <= limit) return quoted;
  for (let at = 1; ; ) {
    const isPair = (quoted.codePointAt(at) ?? 0) > 0xffff;
    const step = quoted[at] === '\\' ? (quoted[at + 1] === 'u' ? 6 : 2) : isPair ? 2 : 1;
    if (at - 1 + step > limit) return `${quoted.slice(0, at)}…"`;
    at += step;
  }
}

/** What a name in quotes says. */
function nameOf(quoted: string): string {
  if (!quoted.includes('\\') || quoted.length > ESCAPED_NAME) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

class Abridger {
  readonly #text: string;
  readonly #bounds: Bounds;
  readonly #pieces: string[] = [];
  readonly #open: { readonly isList: boolean; readonly lasting: Lasting; kept: number }[] = [];
  #length = 0;
  #at = 0;

  constructor(text: string, bounds: Bounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  read(): string | null {
    this.#at = pastSpace(this.#text, 0);
    this.#value(ENVELOPE);
    while (this.#open.length > 0) {
      if (this.#length > this.#bounds.total * OVERRUN) return null;
      this.#step();
    }
    return this.#pieces.join('');
  }

  /** One entry of the innermost container, or its end. */
  #step(): void {
    const level = this.#open.at(-1);
    const at = pastSpace(this.#text, this.#at);
    const mark = this.#text.charAt(at);
    this.#at = at + 1;
    if (level === undefined || mark === ',') return;
    if (mark === ']' || mark === '}' || mark === '') {
      this.#open.pop();
      this.#write(level.isList ? ']' : '}');
      return;
    }
    this.#at = at;
    const quoted = level.isList ? '' : this.#name();
    const name = nameOf(quoted);
    const lasting = !level.isList && Object.hasOwn(level.lasting, name) ? level.lasting[name] : undefined;
    // A list of several never looks like a list of one.
    const isSecond = level.isList && level.kept === 1;
    const hasRoom = isSecond || (level.kept < this.#bounds.entries && this.#length < this.#bounds.total);
    if (lasting === undefined && !hasRoom) {
      this.#at = pastValue(this.#text, this.#at);
      return;
    }
    if (level.kept > 0) this.#write(',');
    level.kept += 1;
    if (!level.isList) this.#write(`${lasting === undefined ? shortened(quoted, this.#bounds.string) : quoted}:`);
    this.#value(lasting);
  }

  /** The name that stands here, in its quotes; what follows it is its value. */
  #name(): string {
    const text = this.#text;
    const start = this.#at;
    const end = pastString(text, start);
    this.#at = pastSpace(text, pastSpace(text, end) + 1);
    return text.slice(start, end);
  }

  #value(lasting?: Lasting): void {
    const start = this.#at;
    const mark = this.#text.charAt(start);
    const isContainer = mark === '[' || mark === '{';
    const { levels, total, string } = this.#bounds;
    if (isContainer && this.#open.length < levels && (lasting !== undefined || this.#length < total)) {
      this.#at = start + 1;
      this.#open.push({ isList: mark === '[', lasting: lasting ?? {}, kept: 0 });
      this.#write(mark);
      return;
    }
    this.#at = pastValue(this.#text, start);
    const scalar = this.#text.slice(start, this.#at);
    if (isContainer) this.#write(mark === '[' ? '[]' : '{}');
    else if (mark === '"') this.#write(shortened(scalar, string));
    else this.#write(scalar.length > LONGEST_NUMBER ? '0' : scalar);
  }

  #write(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/**
 * A JSON text within bounds: what nests deeper is empty, what comes later is dropped, and `success` and `error` at the
 * top with `code` and `message` are there wherever they stood; `null` where even these have no end.
 */
export function abridged(text: string, bounds: Bounds): string | null {
  return new Abridger(text, bounds).read();
}
