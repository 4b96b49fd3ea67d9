/** Reads recorded traffic exchange by exchange: a HAR of any size, a list of them or of entries, or NDJSON. */

import { parsedJson, pastString } from '../exchange/json-text.ts';
import { type Entry, entryOf, mayBeJudged } from './entry.ts';

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
  /** What was passed where nothing could be taken. */
  passed = '';
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
    this.passed = end < 0 ? part : '';
    return end < 0 ? null : part;
  }

  /** Passes a value that is too long and of which `part` was taken. */
  async skipValue(part: string): Promise<void> {
    const past = valueScanner();
    for (let end = past(part); end < 0; ) {
      await this.#fill(0);
      if (this.#text === '') return;
      end = past(this.#text);
      const text = end < 0 ? this.#text : this.#text.slice(0, end);
      this.#text = this.#text.slice(text.length);
      this.line += linesIn(text);
    }
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

/** What is said of an exchange that is too long: nothing if it belongs to somebody else. */
const tooLong = (line: number, text: string): Piece => ({ line, entry: mayBeJudged(text) ? TOO_LONG : null });

/** One exchange a line: a line that is none says nothing of the others. */
async function* linesOf(source: Source): AsyncIterable<Piece> {
  for (let isRest = false; ; ) {
    const { line } = source;
    const text = await source.take(pastLine);
    if (text === null && source.isOver) return;
    if (!isRest && (text === null || text.length > LONGEST)) yield tooLong(line, text ?? source.passed);
    else if (!isRest && text?.trim() !== '') {
      const value = parsedJson(text ?? '');
      yield { line, entry: value === undefined ? 'the line is not JSON' : entryOf(value, false) };
    }
    isRest = text === null;
  }
}

const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

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

/** Past the first value of a text that comes in parts. */
function valueScanner(): (part: string) => number {
  let [levels, isText, isEscaped] = [0, false, false];
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      const unit = part.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (isText && unit === BACKSLASH) isEscaped = true;
      else if (unit === QUOTE) isText = !isText;
      else if (!isText && (unit === OBJECT || unit === LIST)) levels += 1;
      else if (!isText && (unit === OBJECT_END || unit === LIST_END) && --levels === 0) return at + 1;
    }
    return -1;
  };
}

/** Where a member of a list is a document, not an exchange. */
const DOCUMENT = /^[\s,]*\{\s*"(?:log|version|creator|browser|pages|entries|comment)"\s*:/;
/** The lists of exchanges: those of a HAR, with `log` or without, or of a list of them, or a list itself. */
const ENTRIES = /^(?:\[\])?(?:\.log)?\.entries$/;

/** The exchanges of a document one by one, so that it is never in memory as a whole. */
async function* entriesOf(source: Source): AsyncIterable<Piece> {
  /** Where each open list or object stands, and the last string in it: the name of the member in which the next one stands. */
  const open: { readonly path: string; readonly isList: boolean; name: string }[] = [];
  let hasEntries = false;
  for (;;) {
    const top = open.at(-1);
    const isMember = top?.isList === true && (open.length === 1 || ENTRIES.test(top.path));
    hasEntries ||= isMember && open.length > 1;
    const before = source.line;
    let isEntry = isMember;
    const part = await source.take((text) => {
      isEntry = isMember && !(open.length === 1 && DOCUMENT.test(text));
      return pastToken(text, isEntry);
    });
    const end = top === undefined ? 'the file has no log.entries' : 'the file ends in the middle of its JSON';
    if (part === null && source.isOver)
      return top === undefined && hasEntries ? undefined : yield { line: source.line, entry: end };
    if (part === null) {
      yield tooLong(before, source.passed);
      if (!isEntry) return;
      await source.skipValue(source.passed);
      continue;
    }
    const start = part.search(/["[{]/);
    const line = before + linesIn(part.slice(0, start));
    if (start < 0) {
      if (open.pop() === undefined) return yield { line: source.line, entry: 'the file is not JSON' };
    } else if (isEntry) {
      hasEntries = true;
      const value = parsedJson(part.slice(start));
      yield { line, entry: value === undefined ? 'an entry is not JSON' : entryOf(value, true) };
    } else if (part.endsWith('"')) {
      if (top !== undefined) top.name = part.slice(start + 1, -1);
    } else {
      const path = top === undefined ? '' : top.path + (top.isList ? '[]' : `.${top.name}`);
      open.push({ path: path.slice(0, 64), isList: part.endsWith('['), name: '' });
    }
  }
}

/** Number of characters that show what a file is. */
const ENOUGH = 1_024;
/** A list, a HAR with its usual members, or an object on several lines, which NDJSON never has. */
const STRUCTURED = /^\s*(?:\[|\{\s*"(?:log|version|creator|browser|pages|entries)"\s*:|\{[ \t\r]*\n)/;
/** What is no text that anybody exports for others: archives, sessions of a tool, XML. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^PK[^\w\s]/, 'the file is an archive: unpack it'],
  [/\0/, 'the file is binary, or a text in UTF-16 without its mark: save it as UTF-8'],
  [/^\s*</, 'the file is XML: export a HAR'],
];

/** What the file holds, in its order; each chunk is text. */
export async function* piecesOf(chunks: AsyncIterable<string>): AsyncIterable<Piece> {
  const source = new Source(chunks[Symbol.asyncIterator]());
  let head = '';
  await source.take((text, isLast) => {
    if (text.length < ENOUGH && !isLast) return -1;
    head = text.slice(0, ENOUGH);
    return 0;
  });
  const foreign = FOREIGN.find(([pattern]) => pattern.test(head));
  if (foreign !== undefined) yield { line: 1, entry: foreign[1] };
  else yield* STRUCTURED.test(head) ? entriesOf(source) : linesOf(source);
}
