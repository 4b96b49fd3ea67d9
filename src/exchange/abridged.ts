/** A long JSON text made short and kept valid: linear, level by level, with nothing parsed and no recursion. */

/** Where an abridged text ends. */
export interface Bounds {
  /** Containers within more levels than this are emptied. */
  readonly levels: number;
  /** Further members of an object, or items of a list, are dropped. */
  readonly entries: number;
  /** Longer strings and names are shortened. */
  readonly string: number;
  /** So many units, and nothing more is begun but the members of the error envelope. */
  readonly total: number;
}

interface Level {
  readonly isList: boolean;
  /** The members that are kept whatever their place: an error is judged by them. */
  readonly lasting: readonly string[];
  kept: number;
}

const ENVELOPE: readonly string[] = ['success', 'error'];
const OF_ERROR: readonly string[] = ['code', 'message'];
/** The longest name of the envelope with each character escaped is shorter. */
const ESCAPED_NAME = 64;
/** A number of more digits is written as 0. */
const LONGEST_NUMBER = 64;
/** Members of the envelope may come again and again: the text is given up beyond so many times the total. */
const OVERRUN = 4;

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^\s,:[\]{}"]+/y;
const STRING = /[^"\\]*/y;

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

const [QUOTE, LIST, OBJECT] = [0x22, 0x5b, 0x7b];

/** Where a container ends: its brackets are counted, those in strings apart. */
function pastContainer(text: string, start: number): number {
  let levels = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = pastString(text, at) - 1;
    else if (unit === LIST || unit === OBJECT) levels += 1;
    else if (unit === LIST + 2 || unit === OBJECT + 2) levels -= 1;
    if (levels === 0) return at + 1;
  }
  return text.length;
}

function pastValue(text: string, at: number): number {
  const mark = text.charAt(at);
  if (mark === '"') return pastString(text, at);
  return mark === '[' || mark === '{' ? pastContainer(text, at) : Math.max(past(SCALAR, text, at), at + 1);
}

/** The first characters of a string's inside, never half of an escape or of a surrogate pair. */
function shortened(inside: string, limit: number): string {
  for (let at = 0; ; ) {
    const unit = inside.charAt(at);
    const isPair = (inside.codePointAt(at) ?? 0) > 0xffff;
    const step = unit === '\\' ? (inside.charAt(at + 1) === 'u' ? 6 : 2) : isPair ? 2 : 1;
    if (at + step > limit) return `${inside.slice(0, at)}…`;
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
  readonly #open: Level[] = [];
  #length = 0;
  #at = 0;

  constructor(text: string, bounds: Bounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  read(): string | null {
    this.#at = pastSpace(this.#text, 0);
    this.#value(ENVELOPE, true);
    for (let level = this.#open.at(-1); level !== undefined; level = this.#open.at(-1)) {
      if (this.#length > this.#bounds.total * OVERRUN) return null;
      this.#step(level);
    }
    return this.#pieces.join('');
  }

  /** One entry of the innermost container, or its end. */
  #step(level: Level): void {
    const text = this.#text;
    const at = pastSpace(text, this.#at);
    const mark = text.charAt(at);
    this.#at = at + 1;
    if (mark === ',') return;
    if (mark === ']' || mark === '}' || mark === '') {
      this.#open.pop();
      this.#write(level.isList ? ']' : '}');
      return;
    }
    this.#at = at;
    const quoted = level.isList ? null : this.#name();
    const isLasting = quoted !== null && level.lasting.includes(nameOf(quoted));
    // A list of several never looks like a list of one.
    const isSecond = level.isList && level.kept === 1;
    const hasRoom = isSecond || (level.kept < this.#bounds.entries && this.#length < this.#bounds.total);
    if (!isLasting && !hasRoom) {
      this.#at = pastValue(text, this.#at);
      return;
    }
    if (level.kept > 0) this.#write(',');
    level.kept += 1;
    if (quoted !== null) this.#write(`${isLasting ? quoted : this.#short(quoted)}:`);
    this.#value(isLasting && nameOf(quoted ?? '') === 'error' ? OF_ERROR : [], isLasting);
  }

  /** The name that stands here, in its quotes; what follows it is its value. */
  #name(): string {
    const text = this.#text;
    const end = pastString(text, this.#at);
    const name = text.slice(this.#at, end);
    const colon = pastSpace(text, end);
    this.#at = pastSpace(text, colon + 1);
    return name;
  }

  #value(lasting: readonly string[], isLasting: boolean): void {
    const text = this.#text;
    const start = this.#at;
    const mark = text.charAt(start);
    const isContainer = mark === '[' || mark === '{';
    const { levels, total } = this.#bounds;
    if (isContainer && this.#open.length < levels && (isLasting || this.#length < total)) {
      this.#at = start + 1;
      this.#open.push({ isList: mark === '[', lasting: mark === '[' ? [] : lasting, kept: 0 });
      this.#write(mark);
      return;
    }
    this.#at = pastValue(text, start);
    if (isContainer) this.#write(mark === '[' ? '[]' : '{}');
    else if (mark === '"') this.#write(this.#short(text.slice(start, this.#at)));
    else this.#write(this.#at - start > LONGEST_NUMBER ? '0' : text.slice(start, this.#at));
  }

  #short(quoted: string): string {
    const { string: limit } = this.#bounds;
    return quoted.length - 2 <= limit ? quoted : `"${shortened(quoted.slice(1, -1), limit)}"`;
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
