/** Reads recorded traffic exchange by exchange: a HAR of any size, or NDJSON with an exchange a line. */

import { parsedJson, pastString } from '../exchange/json-text.ts';
import { type Entry, entryOf } from './entry.ts';

/** An exchange, `null` for one that is none of the interface, or a sentence about a place that is none at all. */
export interface Piece {
  /** The line on which it begins. */
  readonly line: number;
  readonly entry: Entry | string | null;
}

/** A longer exchange is not read; a megabyte of it takes several in memory. */
const LONGEST = 16 * 1024 * 1024;
const TOO_LONG = 'the exchange is longer than 16 MiB';

/** Where the first part of a text ends, or -1 where more of it has to come; `isLast`: nothing more comes. */
type EndOf = (text: string, isLast: boolean) => number;

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** A file, of which no more is in memory than an exchange takes. */
class Source {
  /** Where the next part begins. */
  line = 1;
  isOver = false;
  #text = '';

  constructor(readonly chunks: AsyncIterator<string>) {}

  /** The next part; `null`, and past all that was read, where the file ends before it or it is too long. */
  async take(endOf: EndOf): Promise<string | null> {
    let end = endOf(this.#text, this.isOver);
    while (end < 0 && !this.isOver && this.#text.length <= LONGEST) {
      // Twice as far: what is looked through again is looked through a few times and no more.
      await this.#fill(Math.min(2 * this.#text.length, LONGEST));
      end = endOf(this.#text, this.isOver);
    }
    const part = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = this.#text.slice(part.length);
    this.line += linesIn(part);
    return end < 0 ? null : part;
  }

  async #fill(length: number): Promise<void> {
    while (!this.isOver && this.#text.length <= length) {
      const { done = false, value = '' } = await this.chunks.next();
      this.isOver = done;
      this.#text += value;
    }
  }
}

const pastLine: EndOf = (text, isLast) => text.indexOf('\n') + 1 || (isLast && text !== '' ? text.length : -1);

/** One exchange a line: a line that is none says nothing of the others. */
async function* linesOf(source: Source): AsyncIterable<Piece> {
  for (let isRest = false; ; ) {
    const { line } = source;
    const text = await source.take(pastLine);
    if (text === null && source.isOver) return;
    if (!isRest && (text === null || text.length > LONGEST)) yield { line, entry: TOO_LONG };
    else if (!isRest && text?.trim() !== '') {
      const value = parsedJson(text ?? '');
      yield { line, entry: value === undefined ? 'the line is not JSON' : entryOf(value, false) };
    }
    isRest = text === null;
  }
}

const [QUOTE, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** Past the first string or bracket of a text or, with `isWhole`, past the first value that is a string, a list or an object. */
function pastToken(text: string, isWhole: boolean): number {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OBJECT || unit === LIST) levels += 1;
    else if (unit === OBJECT_END || unit === LIST_END) levels -= 1;
    else if (unit === QUOTE) at = pastString(text, at) - 1;
    else continue;
    // More of a string may come.
    if (unit === QUOTE && at === text.length - 1) return -1;
    if (!isWhole || levels <= 0) return at + 1;
  }
  return -1;
}

/** The levels of a HAR: the document, `log`, and its `entries`. */
const [IN_DOCUMENT, IN_LOG, IN_ENTRIES] = [1, 2, 3];

/** The members of `log.entries` one by one, so that the document is never in memory as a whole. */
async function* entriesOf(source: Source): AsyncIterable<Piece> {
  /** The last string of each of the first levels: the name of the member in which the next level stands. */
  const names: (string | undefined)[] = [];
  let hasEntries = false;
  for (let levels = 0; levels >= 0; ) {
    const isInEntries = levels === IN_ENTRIES && names[IN_DOCUMENT] === '"log"' && names[IN_LOG] === '"entries"';
    hasEntries ||= isInEntries;
    const before = source.line;
    const part = await source.take((text) => pastToken(text, isInEntries));
    const end = levels > 0 ? 'the file ends in the middle of its JSON' : 'the file has no log.entries';
    if (part === null && !source.isOver) return yield { line: before, entry: TOO_LONG };
    if (part === null) return levels === 0 && hasEntries ? undefined : yield { line: source.line, entry: end };
    const start = part.search(/["[{]/);
    const line = before + linesIn(part.slice(0, start));
    if (start < 0) levels -= 1;
    else if (part.endsWith('"')) names[Math.min(levels, IN_ENTRIES)] = part.slice(start);
    else if (!isInEntries) levels += 1;
    else {
      const value = parsedJson(part.slice(start));
      // Nothing after this can be told apart.
      if (value === undefined) return yield { line, entry: 'an entry is not JSON' };
      yield { line, entry: entryOf(value, true) };
    }
  }
  yield { line: source.line, entry: 'the file is not JSON' };
}

/** Number of characters that show what a file is. */
const ENOUGH = 1_024;

/** What the file holds, in its order; each chunk is text. */
export async function* piecesOf(chunks: AsyncIterable<string>): AsyncIterable<Piece> {
  const source = new Source(chunks[Symbol.asyncIterator]());
  let isHar = false;
  await source.take((text, isLast) => {
    if (text.length < ENOUGH && !isLast) return -1;
    isHar = /^\s*\{\s*"log"\s*:/.test(text);
    return 0;
  });
  yield* isHar ? entriesOf(source) : linesOf(source);
}
