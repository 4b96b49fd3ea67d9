/** Reads recorded traffic exchange by exchange: a HAR of any size, a list of them or of entries, or NDJSON. */

import { READ } from '../contract/limits.ts';
import { jsonFault, LIST, LIST_END, OBJECT, OBJECT_END, parsedJson, pastString, QUOTE } from '../exchange/json-text.ts';
import { entryOf, type TrafficEntry } from './entry.ts';

/** A piece of a file: an exchange, `null` for an exchange outside the interface, or a sentence about anything else. */
export interface Piece {
  /** The line on which it begins. */
  readonly line: number;
  readonly entry: TrafficEntry | string | null;
}

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Where the part that begins at `at` ends; -1 if more text is needed. `isLast`: there is no more text. */
type EndOf = (text: string, at: number, isLast: boolean) => number;

/** A file as it is read. No more than one exchange is in memory. */
class Source {
  /** The unread rest begins at `at`, on that line. */
  text = '';
  at = 0;
  line = 1;
  isOver = false;
  isTooLong = false;

  constructor(
    readonly chunks: AsyncIterator<string>,
    readonly longest: number,
  ) {}

  /** Reads until that many characters are available, or the file ends. */
  async fill(length: number): Promise<void> {
    while (!this.isOver && this.text.length - this.at < length) {
      const { value = '', done = false } = await this.chunks.next();
      this.text = this.text.slice(this.at) + value;
      this.at = 0;
      this.isOver = done;
    }
  }

  /** The next part; `null` if the file ends before it or it is too long. */
  async next(endOf: EndOf): Promise<string | null> {
    for (;;) {
      const end = endOf(this.text, this.at, this.isOver);
      if (end >= 0) {
        const part = this.text.slice(this.at, end);
        this.at = end;
        this.line += linesIn(part);
        return part;
      }
      const length = this.text.length - this.at;
      this.isTooLong = !this.isOver && length > this.longest;
      if (this.isOver || this.isTooLong) return null;
      // Reads twice as far each time, so that no text is scanned more than a few times.
      await this.fill(2 * length + 1);
    }
  }
}

const pastLine: EndOf = (text, at, isLast) =>
  text.indexOf('\n', at) + 1 || (isLast && at < text.length ? text.length : -1);

/** NDJSON, one exchange a line. A line that is not an exchange does not affect the others. */
async function* linesOf(source: Source): AsyncGenerator<Piece, void> {
  for (;;) {
    const { line } = source;
    const text = await source.next(pastLine);
    if (text === null) return;
    const value = parsedJson(text);
    if (value !== undefined) yield { line, entry: entryOf(value, false) };
    else if (/\S/.test(text)) yield { line, entry: `the line is not JSON: ${jsonFault(text)}` };
  }
}

/** Where the first string or bracket ends or, with `isWhole`, the first string, list or object. */
function pastToken(text: string, start: number, isWhole: boolean): number {
  let levels = 0;
  for (let at = start; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OBJECT || unit === LIST) levels += 1;
    else if (unit === OBJECT_END || unit === LIST_END) levels -= 1;
    else if (unit === QUOTE) at = pastString(text, at) - 1;
    else continue;
    // The string may go on.
    if (unit === QUOTE && at === text.length - 1) return -1;
    if (!isWhole || levels <= 0) return at + 1;
  }
  return -1;
}

/** The beginning of a list member that is a whole HAR, not an exchange: a line of a log may have a version, too. */
const DOCUMENT = /^[\s,]*\{\s*(?:"version"\s*:\s*"[^"]*"\s*,\s*)?"(?:log|creator|browser|pages|entries|comment)"\s*:/;
/** Number of characters that show what a file or a member of a list is. */
const ENOUGH = 1_024;
/** Where lists of exchanges are: at the top, in a HAR with or without `log`, or in a list of HARs. */
const ENTRIES = /^$|^(?:\[\])?(?:\.log)?\.entries$/;

/** The exchanges of a document one by one, so that it is never in memory as a whole. */
async function* entriesOf(source: Source): AsyncGenerator<Piece, void> {
  /** Every open list or object with its place, and the last string in it, which is the name of the next member. */
  const open: { readonly path: string; readonly isList: boolean; name: string }[] = [];
  let hasEntries = false;
  for (;;) {
    const top = open.at(-1);
    const before = source.line;
    await source.fill(ENOUGH);
    const { text, at } = source;
    const isHar = open.length === 1 && DOCUMENT.test(text.slice(at, at + ENOUGH));
    const isEntry = top?.isList === true && ENTRIES.test(top.path) && !isHar;
    hasEntries ||= isEntry;
    const part = await source.next((all, start) => pastToken(all, start, isEntry));
    if (part === null) {
      if (source.isTooLong || (top === undefined && hasEntries)) return;
      const end = top === undefined ? 'the file has no log.entries' : 'the file ends in the middle of its JSON';
      return yield { line: source.line + linesIn(source.text.slice(source.at)), entry: end };
    }
    const start = part.search(/["[{]/);
    const line = before + linesIn(part.slice(0, start));
    if (start < 0) {
      if (open.pop() === undefined) return yield { line: source.line, entry: 'the file is not JSON' };
    } else if (isEntry) {
      const text = part.slice(start);
      const value = parsedJson(text);
      yield { line, entry: value === undefined ? `an entry is not JSON: ${jsonFault(text)}` : entryOf(value, true) };
    } else if (part.endsWith('"')) {
      if (top !== undefined) top.name = part.slice(start + 1, -1);
    } else {
      const path = top === undefined ? '' : top.path + (top.isList ? '[]' : `.${top.name}`);
      open.push({ path: path.slice(0, 64), isList: part.endsWith('['), name: '' });
    }
  }
}

/** A list, a HAR with its usual members, or an object on several lines, which NDJSON never has. */
const STRUCTURED =
  /^\s*(?:\[|\{\s*(?:"version"\s*:\s*"[^"]*"\s*,\s*)?"(?:log|creator|browser|pages|entries)"\s*:|\{[ \t\r]*\n)/;
/** Files that are not exports for other tools: archives, sessions of a tool, XML. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^PK[^\w\s]/, 'the file is an archive: unpack it'],
  [/\0/, 'the file is binary, or a text in UTF-16 without its mark: save it as UTF-8'],
  [/^\s*</, 'the file is XML: export a HAR'],
];

/** The pieces of a file in order. */
export async function* piecesOf(chunks: AsyncIterable<string>, longest = READ.exchange): AsyncGenerator<Piece> {
  const source = new Source(chunks[Symbol.asyncIterator](), longest);
  await source.fill(ENOUGH);
  const head = source.text.slice(0, ENOUGH);
  const foreign = FOREIGN.find(([pattern]) => pattern.test(head));
  if (foreign !== undefined) yield { line: 1, entry: foreign[1] };
  else yield* STRUCTURED.test(head) ? entriesOf(source) : linesOf(source);
  if (source.isTooLong)
    yield { line: source.line, entry: 'the exchange is too long: it and what follows were not read' };
  await source.chunks.return?.();
}
