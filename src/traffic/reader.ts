/** Reads recorded traffic piece by piece: a HAR of any size, or NDJSON with an exchange a line. */

import { isObject, parsedJson } from '../exchange/json-text.ts';

/** A JSON value of the file and the line on which it begins, or a sentence about a place that is none. */
export type Piece =
  | {
      readonly kind: 'entry';
      readonly value: unknown;
      readonly line: number;
      readonly format: 'har' | 'own' | 'ndjson';
    }
  | { readonly kind: 'problem'; readonly problem: string; readonly line: number };

/** Reads the text of a file chunk by chunk; after the last one, `end` says what is missing. */
interface Scanner {
  push(chunk: string): Iterable<Piece>;
  end(): Iterable<Piece>;
}

/** A longer exchange is not read; a megabyte of it takes several in memory. */
const LONGEST = 16 * 1024 * 1024;
const TOO_LONG = 'the exchange is longer than 16 MiB';
const [QUOTE, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

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
    if (!this.#isSkipping) yield { kind: 'problem', problem: TOO_LONG, line: this.#line };
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
    const value = text.length > LONGEST ? undefined : parsedJson(text);
    if (text.length > LONGEST) yield { kind: 'problem', problem: TOO_LONG, line: this.#line };
    else if (value === undefined) yield { kind: 'problem', problem: 'the line is not JSON', line: this.#line };
    else yield { kind: 'entry', value, line: this.#line, format: 'ndjson' };
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

/** The levels of a HAR: the document, `log`, its `entries`, and an entry. */
const [IN_DOCUMENT, IN_LOG, IN_ENTRIES] = [1, 2, 3];

/** The members of `log.entries` one by one, so that the document is never in memory as a whole. */
class HarScanner implements Scanner {
  #text = '';
  /** Where to go on, and where what is kept begins in the text. */
  #at = 0;
  #start = -1;
  #line = 1;
  #counted = 0;
  #levels = 0;
  #name = '';
  #isLog = false;
  #isEntries = false;
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
        if (this.#levels <= IN_LOG) this.#name = text.slice(this.#at + 1, end - 1);
        this.#at = end - 1;
      } else if (unit === OBJECT || unit === LIST) this.#open(unit === LIST);
      else if (unit === OBJECT_END || unit === LIST_END) yield* this.#close();
    }
    const isLong = this.#start >= 0 && text.length - this.#start > LONGEST;
    if (isLong || (this.#start < 0 && text.length - this.#at > LONGEST)) yield this.#give(TOO_LONG);
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
    this.#counted -= kept;
    if (this.#start >= 0) this.#start = 0;
  }

  #count(to: number): void {
    this.#line += linesIn(this.#text, this.#counted, to);
    this.#counted = to;
  }

  #open(isList: boolean): void {
    this.#levels += 1;
    if (this.#levels === IN_LOG) this.#isLog = this.#name === 'log';
    if (this.#levels === IN_ENTRIES) {
      this.#isEntries = this.#isLog && isList && this.#name === 'entries';
      this.#hasEntries ||= this.#isEntries;
    }
    const isEntry = this.#isEntries && this.#levels === IN_ENTRIES + 1;
    const isCreator = this.#isLog && this.#levels === IN_ENTRIES && this.#name === 'creator';
    if (isEntry || isCreator) this.#start = this.#at;
  }

  *#close(): Iterable<Piece> {
    this.#levels -= 1;
    if (this.#levels < IN_DOCUMENT - 1) yield this.#give('the file is not JSON');
    const isEntry = this.#isEntries && this.#levels === IN_ENTRIES;
    if (this.#levels < IN_ENTRIES) this.#isEntries = false;
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
    return { kind: 'problem', problem, line: this.#line };
  }
}

/** So many characters show what a file is. */
const ENOUGH = 1_024;

/** What the file holds, in its order; each chunk is text. */
export async function* piecesOf(chunks: AsyncIterable<string>): AsyncIterable<Iterable<Piece>> {
  let scanner: Scanner | undefined;
  let start = '';
  const begin = (): Scanner => (/^\ufeff?\s*\{\s*"log"\s*:/.test(start) ? new HarScanner() : new LineScanner());
  for await (const chunk of chunks) {
    if (scanner !== undefined) yield scanner.push(chunk);
    else {
      start += chunk;
      if (start.length < ENOUGH) continue;
      scanner = begin();
      yield scanner.push(start.replace(/^\ufeff/, ''));
    }
  }
  if (scanner === undefined) {
    scanner = begin();
    yield scanner.push(start.replace(/^\ufeff/, ''));
  }
  yield scanner.end();
}
