/** Reads recorded traffic exchange by exchange: a HAR of any size, a list of them or of entries, or NDJSON. */

import { parsedJson, pastString } from '../exchange/json-text.ts';
import { type Entry, entryOf } from './entry.ts';

/** An exchange, `null` for one that is none of the interface, or a sentence about a place that is none at all. */
export interface Piece {
  /** The line on which it begins. */
  readonly line: number;
  readonly entry: Entry | string | null;
}

/** A longer exchange is not read, and nothing after it: a text of V8 has half a gigabyte at most. */
const LONGEST = 256 * 1024 * 1024;

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** What was read of a file and not taken yet: no more of it is in memory than an exchange takes. */
class Source {
  text = '';
  /** Where the next part begins, and on which line. */
  at = 0;
  line = 1;
  isOver = false;

  constructor(readonly longest: number) {}

  add(chunk: string): void {
    this.text = this.text.slice(this.at) + chunk;
    this.at = 0;
  }

  take(end: number): string {
    const part = this.text.slice(this.at, end);
    this.at = end;
    this.line += linesIn(part);
    return part;
  }
}

/** Where the part ends that begins at a place, or -1 where more of it has to come; `isLast`: nothing more comes. */
type EndOf = (text: string, at: number, isLast: boolean) => number;

/** Pieces in their order, and `null` where more has to be read. */
type Reading<Result> = Generator<Piece | null, Result>;

/** The next part; `null` where the file ends before it, or it is too long. */
function* next(source: Source, endOf: EndOf): Reading<string | null> {
  for (;;) {
    const { text, at, isOver } = source;
    const end = endOf(text, at, isOver);
    if (end >= 0) return source.take(end);
    const length = text.length - at;
    if (isOver || length > source.longest) return null;
    // Twice as far: what is looked through again is looked through a few times and no more.
    do yield null;
    while (!source.isOver && source.text.length - source.at < 2 * length);
  }
}

const tooLong = (line: number): Piece => ({
  line,
  entry: 'the exchange is too long: it and what follows were not read',
});

const pastLine: EndOf = (text, at, isLast) =>
  text.indexOf('\n', at) + 1 || (isLast && at < text.length ? text.length : -1);

/** One exchange a line: a line that is none says nothing of the others. */
function* linesOf(source: Source): Reading<void> {
  for (;;) {
    const { line } = source;
    const text = yield* next(source, pastLine);
    if (text === null) return source.isOver ? undefined : yield tooLong(line);
    const value = parsedJson(text);
    if (value !== undefined) yield { line, entry: entryOf(value, false) };
    else if (/\S/.test(text)) yield { line, entry: 'the line is not JSON' };
  }
}

const [QUOTE, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

/** Past the first string or bracket or, with `isWhole`, past the first value that is a string, a list or an object. */
function pastToken(text: string, start: number, isWhole: boolean): number {
  let levels = 0;
  for (let at = start; at < text.length; at += 1) {
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

/** Where a member of a list is a document, not an exchange. */
const DOCUMENT = /^[\s,]*\{\s*"(?:log|version|creator|browser|pages|entries|comment)"\s*:/;
/** Number of characters that show what a file or a member of a list is. */
const ENOUGH = 1_024;
/** The lists of exchanges: those of a HAR, with `log` or without, or of a list of them, or a list itself. */
const ENTRIES = /^(?:\[\])?(?:\.log)?\.entries$/;

/** The exchanges of a document one by one, so that it is never in memory as a whole. */
function* entriesOf(source: Source): Reading<void> {
  /** Where each open list or object stands, and the last string in it: the name of the member in which the next one stands. */
  const open: { readonly path: string; readonly isList: boolean; name: string }[] = [];
  let hasEntries = false;
  for (;;) {
    const top = open.at(-1);
    const isMember = top?.isList === true && (open.length === 1 || ENTRIES.test(top.path));
    hasEntries ||= isMember && open.length > 1;
    const before = source.line;
    let isEntry = isMember;
    const part = yield* next(source, (text, at) => {
      isEntry = isMember && !(open.length === 1 && DOCUMENT.test(text.slice(at, at + ENOUGH)));
      return pastToken(text, at, isEntry);
    });
    if (part === null) {
      const end = top === undefined ? 'the file has no log.entries' : 'the file ends in the middle of its JSON';
      if (!source.isOver) yield tooLong(before);
      else if (top !== undefined || !hasEntries)
        yield { line: source.line + linesIn(source.text.slice(source.at)), entry: end };
      return;
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

/** A list, a HAR with its usual members, or an object on several lines, which NDJSON never has. */
const STRUCTURED = /^\s*(?:\[|\{\s*"(?:log|version|creator|browser|pages|entries)"\s*:|\{[ \t\r]*\n)/;
/** What is no text that anybody exports for others: archives, sessions of a tool, XML. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^PK[^\w\s]/, 'the file is an archive: unpack it'],
  [/\0/, 'the file is binary, or a text in UTF-16 without its mark: save it as UTF-8'],
  [/^\s*</, 'the file is XML: export a HAR'],
];

function* reading(source: Source): Reading<void> {
  while (source.text.length < ENOUGH && !source.isOver) yield null;
  const head = source.text.slice(0, ENOUGH);
  const foreign = FOREIGN.find(([pattern]) => pattern.test(head));
  if (foreign !== undefined) yield { line: 1, entry: foreign[1] };
  else yield* STRUCTURED.test(head) ? entriesOf(source) : linesOf(source);
}

/** What the file holds, in its order: all that is complete after each chunk of its text, to be taken before the next. */
export async function* piecesOf(chunks: AsyncIterable<string>, longest = LONGEST): AsyncGenerator<Iterable<Piece>> {
  const source = new Source(longest);
  const pieces = reading(source);
  function* ready(): Generator<Piece> {
    for (;;) {
      const step = pieces.next();
      if (step.done === true || step.value === null) return;
      yield step.value;
    }
  }
  for await (const chunk of chunks) {
    source.add(chunk);
    yield ready();
  }
  source.isOver = true;
  yield ready();
}
