/** Reads recorded traffic piece by piece: a HAR of any size, or NDJSON with an exchange a line. */

import { parsedJson, pastString } from '../exchange/json-text.ts';

/** A JSON value of the file, the line on which it begins, and what wrote it. */
export interface EntryPiece {
  readonly kind: 'entry';
  readonly value: unknown;
  readonly line: number;
  readonly format: 'har' | 'own' | 'ndjson';
}

/** An entry, or a sentence about a place that is none. */
export type Piece = EntryPiece | { readonly kind: 'problem'; readonly problem: string; readonly line: number };

/** A longer exchange is not read; a megabyte of it takes several in memory. */
const LONGEST = 16 * 1024 * 1024;
const TOO_LONG = 'the exchange is longer than 16 MiB';
const [QUOTE, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];

const problemAt = (line: number, problem: string): Piece => ({ kind: 'problem', problem, line });

/** One exchange a line: a line that is none says nothing of the others. */
class LineScanner {
  #rest = '';
  #line = 1;
  #isSkipping = false;

  *push(chunk: string): Iterable<Piece> {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      yield* this.#lineOf(line);
      this.#line += 1;
    }
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

/** The levels of a HAR: the document, `log`, and its `entries`. */
const [IN_DOCUMENT, IN_LOG, IN_ENTRIES] = [1, 2, 3];

/** The members of `log.entries` one by one, so that the document is never in memory as a whole. */
class HarScanner {
  #text = '';
  /** Where to go on, where an entry begins in the text (-1 for none), and up to where lines were counted. */
  #at = 0;
  #start = -1;
  #counted = 0;
  #line = 1;
  #levels = 0;
  /** The last string of each level: the name of the member in which a list or an object stands. */
  readonly #names: string[] = [];
  #hasEntries = false;
  #isOver = false;

  constructor(readonly format: 'har' | 'own') {}

  *push(chunk: string): Iterable<Piece> {
    if (this.#isOver) return;
    this.#forget();
    this.#text += chunk;
    const text = this.#text;
    for (; this.#at < text.length; this.#at += 1) {
      const unit = text.charCodeAt(this.#at);
      if (unit === QUOTE) {
        const end = pastString(text, this.#at);
        // More of it may come.
        if (end === text.length) break;
        if (this.#levels <= IN_LOG) this.#names[this.#levels] = text.slice(this.#at + 1, end - 1);
        this.#at = end - 1;
      } else if (unit === OBJECT || unit === LIST) {
        this.#levels += 1;
        if (this.#levels === IN_ENTRIES && unit === LIST && this.#isInEntries) this.#hasEntries = true;
        if (this.#levels === IN_ENTRIES + 1 && this.#hasEntries && this.#isInEntries) this.#start = this.#at;
      } else if (unit === OBJECT_END || unit === LIST_END) {
        this.#levels -= 1;
        if (this.#levels < 0) yield this.#give('the file is not JSON');
        else if (this.#levels === IN_ENTRIES && this.#start >= 0) yield this.#entry();
      }
    }
    if (text.length - (this.#start < 0 ? this.#at : this.#start) > LONGEST) yield this.#give(TOO_LONG);
  }

  *end(): Iterable<Piece> {
    if (this.#isOver) return;
    this.#at = this.#text.length;
    if (this.#levels > 0) yield this.#give('the file ends in the middle of its JSON');
    else if (!this.#hasEntries) yield this.#give('the file has no log.entries');
  }

  get #isInEntries(): boolean {
    return this.#names[IN_DOCUMENT] === 'log' && this.#names[IN_LOG] === 'entries';
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
    this.#line += this.#text.slice(this.#counted, to).split('\n').length - 1;
    this.#counted = to;
  }

  #entry(): Piece {
    this.#count(this.#start);
    const value = parsedJson(this.#text.slice(this.#start, this.#at + 1));
    this.#start = -1;
    if (value === undefined) return this.#give('an entry is not JSON');
    return { kind: 'entry', value, line: this.#line, format: this.format };
  }

  /** Nothing after this can be told apart. */
  #give(problem: string): Piece {
    this.#count(this.#at);
    this.#isOver = true;
    this.#at = this.#text.length;
    return problemAt(this.#line, problem);
  }
}

/** Number of characters that show what a file is. */
const ENOUGH = 1_024;

/** What reads the text chunk by chunk; after the last one, `end` says what is missing. */
function scannerOf(start: string): LineScanner | HarScanner {
  if (!/^\ufeff?\s*\{\s*"log"\s*:/.test(start)) return new LineScanner();
  // A run writes its name first.
  return new HarScanner(/"creator"\s*:\s*\{\s*"name"\s*:\s*"pcs-conformance"/.test(start) ? 'own' : 'har');
}

/** What the file holds, in its order; each chunk is text. */
export async function* piecesOf(chunks: AsyncIterable<string>): AsyncIterable<Iterable<Piece>> {
  let scanner: ReturnType<typeof scannerOf> | undefined;
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
