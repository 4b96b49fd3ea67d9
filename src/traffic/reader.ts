/** Reads recorded traffic piece by piece: a HAR of any size, or NDJSON with an exchange a line. */

import { isObject, parsedJson } from '../exchange/json-text.ts';

/** A JSON value of the file, the line on which it begins, and what wrote it. */
export interface EntryPiece {
  readonly kind: 'entry';
  readonly value: unknown;
  readonly line: number;
  readonly format: 'har' | 'own' | 'ndjson';
}

/** An entry, or a sentence about a place that is none. */
export type Piece = EntryPiece | { readonly kind: 'problem'; readonly problem: string; readonly line: number };

/** Reads the text of a file chunk by chunk; after the last one, `end` says what is missing. */
interface Scanner {
  push(chunk: string): Iterable<Piece>;
  end(): Iterable<Piece>;
}

/** A longer exchange is not read; a megabyte of it takes several in memory. */
const LONGEST = 16 * 1024 * 1024;
const TOO_LONG = 'the exchange is longer than 16 MiB';
const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

const problemAt = (line: number, problem: string): Piece => ({ kind: 'problem', problem, line });

/** One exchange a line: a line that is none says nothing of the others. */
class LineScanner implements Scanner {
  #rest = '';
  #line = 1;
  #isSkipping = false;

  *push(chunk: string): Iterable<Piece> {
    const text = this.#rest + chunk;
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      yield* this.#lineOf(text.slice(at, end));
      at = end + 1;
      this.#line += 1;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length <= LONGEST) return;
    if (!this.#isSkipping) yield problemAt(this.#line, TOO_LONG);
    this.#isSkipping = true;
    this.#rest = '';
  }

  *end(): Iterable<Piece> {
    yield* this.#lineOf(this.#rest);
  }

  *#lineOf(text: string): Iterable<Piece> {
    const isRest = this.#isSkipping;
    this.#isSkipping = false;
    if (isRest || text.trim() === '') return;
    const value = text.length > LONGEST ? undefined : parsedJson(text.replace(/^\ufeff/, ''));
    if (value !== undefined) yield { kind: 'entry', value, line: this.#line, format: 'ndjson' };
    else yield problemAt(this.#line, text.length > LONGEST ? TOO_LONG : 'the line is not JSON');
  }
}

/** Where a string ends, or -1 if more of it is to come. */
function pastQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

/** The levels of a HAR: the document, `log`, and its `entries`. */
const [IN_DOCUMENT, IN_LOG, IN_ENTRIES] = [1, 2, 3];

/** The members of `log.entries` one by one, so that the document is never in memory as a whole. */
class HarScanner implements Scanner {
  #text = '';
  /** Where to go on, where what is kept begins in the text (-1 for nothing), and up to where lines were counted. */
  #at = 0;
  #start = -1;
  #counted = 0;
  #line = 1;
  #levels = 0;
  /** The last string of each level: the name of the member in which a list or an object stands. */
  readonly #names: string[] = [];
  #hasEntries = false;
  #format: 'har' | 'own' = 'har';
  #isOver = false;

  *push(chunk: string): Iterable<Piece> {
    if (this.#isOver) return;
    this.#forget();
    this.#text += chunk;
    const text = this.#text;
    for (; this.#at < text.length; this.#at += 1) {
      const unit = text.charCodeAt(this.#at);
      if (unit === QUOTE) {
        const end = pastQuoted(text, this.#at);
        if (end < 0) break;
        if (this.#levels <= IN_LOG) this.#names[this.#levels] = text.slice(this.#at + 1, end - 1);
        this.#at = end - 1;
      } else if (unit === OBJECT || unit === LIST) this.#open(unit === LIST);
      else if (unit === OBJECT_END || unit === LIST_END) yield* this.#close();
    }
    if (text.length - (this.#start < 0 ? this.#at : this.#start) > LONGEST) yield this.#give(TOO_LONG);
  }

  *end(): Iterable<Piece> {
    if (this.#isOver) return;
    this.#at = this.#text.length;
    if (this.#levels > 0) yield this.#give('the file ends in the middle of its JSON');
    else if (!this.#hasEntries) yield this.#give('the file has no log.entries');
  }

  /** What was read need not be kept. */
  #forget(): void {
    const kept = this.#start < 0 ? this.#at : this.#start;
    this.#count(kept);
    this.#text = this.#text.slice(kept);
    this.#at -= kept;
    this.#counted = 0;
    if (this.#start >= 0) this.#start = 0;
  }

  #count(to: number): void {
    for (let at = this.#text.indexOf('\n', this.#counted); at >= 0 && at < to; at = this.#text.indexOf('\n', at + 1))
      this.#line += 1;
    this.#counted = to;
  }

  #isIn(member: string): boolean {
    return this.#names[IN_DOCUMENT] === 'log' && this.#names[IN_LOG] === member;
  }

  #open(isList: boolean): void {
    const from = this.#levels;
    this.#levels += 1;
    if (from === IN_LOG && isList && this.#isIn('entries')) this.#hasEntries = true;
    const isEntry = from === IN_ENTRIES && this.#hasEntries && this.#isIn('entries');
    if (isEntry || (from === IN_LOG && this.#isIn('creator'))) this.#start = this.#at;
  }

  *#close(): Iterable<Piece> {
    this.#levels -= 1;
    if (this.#levels < 0) yield this.#give('the file is not JSON');
    const isEntry = this.#levels === IN_ENTRIES && this.#isIn('entries');
    if (this.#start < 0 || !(isEntry || this.#levels === IN_LOG)) return;
    this.#count(this.#start);
    const value = parsedJson(this.#text.slice(this.#start, this.#at + 1));
    this.#start = -1;
    if (value === undefined) yield this.#give('an entry is not JSON');
    else if (isEntry) yield { kind: 'entry', value, line: this.#line, format: this.#format };
    else if (isObject(value) && value['name'] === 'pcs-conformance') this.#format = 'own';
  }

  /** Nothing after this can be told apart. */
  #give(problem: string): Piece {
    this.#count(this.#at);
    this.#isOver = true;
    this.#at = this.#text.length;
    return problemAt(this.#line, problem);
  }
}

/** So many characters show what a file is. */
const ENOUGH = 1_024;

const scannerOf = (start: string): Scanner =>
  /^\ufeff?\s*\{\s*"log"\s*:/.test(start) ? new HarScanner() : new LineScanner();

/** What the file holds, in its order; each chunk is text. */
export async function* piecesOf(chunks: AsyncIterable<string>): AsyncIterable<Iterable<Piece>> {
  let scanner: Scanner | undefined;
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (scanner === undefined && text.length < ENOUGH) continue;
    scanner ??= scannerOf(text);
    yield scanner.push(text);
    text = '';
  }
  scanner ??= scannerOf(text);
  yield scanner.push(text);
  yield scanner.end();
}
