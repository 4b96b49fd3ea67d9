/** A long JSON text made short and kept valid: linear, with nothing parsed. */

import { endOfMatch, parsedJson, pastSpace, pastString } from './json-text.ts';

/** Where an abridged text ends. */
export interface Bounds {
  /** Containers within more levels than this are emptied. */
  readonly levels: number;
  /** Further members of an object, or items of a list, are dropped. */
  readonly entries: number;
  /** Longer strings and names are shortened. */
  readonly string: number;
  /** After this many characters, only the members of the error envelope are begun. */
  readonly total: number;
  /** Called for each list: which of its items are kept after the first two, but for those of more than 64 KiB. */
  readonly filter?: () => (item: string) => boolean;
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
/** Members of the envelope may come again and again: the text is given up beyond this many times the total. */
const OVERRUN = 4;

const SCALAR = /[^\s,:[\]{}"]+/y;
const [QUOTE, LIST, OBJECT] = [0x22, 0x5b, 0x7b];

/** A longer item is not looked at as a whole: at each level its text would be read again. */
const LONGEST_ITEM = 65_536;

/**
 * Where a value ends, or -1 if it is longer than the limit. The brackets of a container are counted, except those in
 * strings.
 */
function pastValue(text: string, start: number, limit = text.length): number {
  let levels = 0;
  for (let at = start; at < text.length; at += 1) {
    if (at - start > limit) return -1;
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = pastString(text, at) - 1;
    else if (unit === LIST || unit === OBJECT) levels += 1;
    else if (unit === LIST + 2 || unit === OBJECT + 2) levels -= 1;
    else if (levels === 0) return Math.max(endOfMatch(SCALAR, text, at), at + 1);
    if (levels === 0) return at + 1;
  }
  return text.length;
}

/** The first characters of a string in quotes, never half of an escape or of a surrogate pair. */
function shortenedString(quoted: string, limit: number): string {
  if (quoted.length - 2 <= limit) return quoted;
  for (let at = 1; ; ) {
    const isPair = (quoted.codePointAt(at) ?? 0) > 0xffff;
    const step = quoted[at] === '\\' ? (quoted[at + 1] === 'u' ? 6 : 2) : isPair ? 2 : 1;
    if (at - 1 + step > limit) return `${quoted.slice(0, at)}…"`;
    at += step;
  }
}

function memberName(quoted: string): string {
  const read = quoted.includes('\\') && quoted.length <= ESCAPED_NAME ? parsedJson(quoted) : undefined;
  return String(read ?? quoted.slice(1, -1));
}

/**
 * A JSON text within bounds: what nests deeper is empty, what comes later is dropped, and `success` and `error` at the
 * top with `code` and `message` are there wherever they stood; `null` where even these have no end.
 */
export function abridged(text: string, { levels, entries, string, total, filter }: Bounds): string | null {
  const pieces: string[] = [];
  let length = 0;
  const write = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };

  // Each of these writes what begins at a place and returns where it ends; they nest no deeper than `levels`.
  const value = (start: number, depth: number, lasting?: Lasting): number => {
    const mark = text.charAt(start);
    const isContainer = mark === '[' || mark === '{';
    if (isContainer && depth < levels && (lasting !== undefined || length < total)) {
      write(mark);
      return container(start + 1, depth + 1, mark === '[', lasting);
    }
    const end = pastValue(text, start);
    const scalar = text.slice(start, isContainer ? start : end);
    if (isContainer) write(mark === '[' ? '[]' : '{}');
    else if (mark === '"') write(shortenedString(scalar, string));
    else write(scalar.length > LONGEST_NUMBER ? '0' : scalar);
    return end;
  };

  const container = (start: number, depth: number, isList: boolean, lasting: Lasting = {}): number => {
    const keeps = isList ? filter?.() : undefined;
    let kept = 0;
    let at = pastSpace(text, start);
    for (; length <= total * OVERRUN && !']}'.includes(text.charAt(at)); at = pastSpace(text, at)) {
      if (text.charAt(at) === ',') at = pastSpace(text, at + 1);
      const quoted = isList ? '' : text.slice(at, pastString(text, at));
      if (!isList) at = pastSpace(text, pastSpace(text, at + quoted.length) + 1);
      const name = memberName(quoted);
      const own = !isList && Object.hasOwn(lasting, name) ? lasting[name] : undefined;
      // A list of several never looks like a list of one.
      const isSecond = isList && kept === 1;
      const hasRoom = isSecond || (kept < entries && length < total);
      if (own === undefined && !hasRoom) {
        at = pastValue(text, at);
        continue;
      }
      if (keeps !== undefined && kept > 1) {
        const end = pastValue(text, at, LONGEST_ITEM);
        if (end >= 0 && !keeps(text.slice(at, end))) {
          at = end;
          continue;
        }
      }
      const written = own === undefined ? shortenedString(quoted, string) : quoted;
      write(`${kept > 0 ? ',' : ''}${isList ? '' : `${written}:`}`);
      kept += 1;
      at = value(at, depth, own);
    }
    write(isList ? ']' : '}');
    return at + 1;
  };

  value(pastSpace(text, 0), 0, ENVELOPE);
  return length > total * OVERRUN ? null : pieces.join('');
}
