/**
 * Reads the raw bytes of a body that may be broken, and says what it holds: every member at any depth and every text.
 * Broken in known ways is readable (cut short, bytes after the value, a comma too many, a byte order mark, bare names);
 * whatever two readers could take differently is not.
 */

import { spoken, type Token, tokens } from './json-tokens.ts';

/**
 * One member of an object: its name without escapes and its value as written, empty where the body ends before the value
 * does. Offsets are in `Scan.text`.
 */
export interface ScannedMember {
  readonly name: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** A name, a string or a number of the body, without quotes and escapes. */
export interface ScannedText {
  readonly text: string;
  readonly start: number;
}

/** What a body holds. */
export interface Scan {
  /** The body as text, without its byte order mark. */
  readonly text: string;
  readonly members: readonly ScannedMember[];
  readonly texts: readonly ScannedText[];
}

interface Frame {
  readonly close: '}' | ']' | null;
  next: 'name' | 'colon' | 'value' | 'comma';
  name: string;
  start: number;
}

/** The content of a body, or `null` where it cannot be read with certainty. */
export function scanJson(bytes: Uint8Array): Scan | null {
  if (blursQuotes(bytes)) return null;
  const text = new TextDecoder().decode(bytes);
  // Taken for Latin-1, this byte is an ordinal sign, which some fold into the letter o.
  if (text.includes('\uFFFD') && bytes.includes(0xba)) return null;
  const found = tokens(text);
  return found === null ? null : new Scanner(text).read(found);
}

/**
 * Overlong forms of ASCII, and a leading byte that would swallow a quotation mark or a backslash: decoders disagree
 * there on where a string ends.
 */
function blursQuotes(bytes: Uint8Array): boolean {
  const latin = Buffer.from(bytes).toString('latin1');
  return (
    /[\xc0\xc1]|\xe0[\x80-\x9f]|\xf0[\x80-\x8f]/.test(latin) ||
    /[\xc2-\xdf]["\\]|[\xe0-\xef].?["\\]|[\xf0-\xf7].{0,2}["\\]|[\xf8-\xfd].{0,4}["\\]/s.test(latin)
  );
}

/** Bare, and not in front of a colon, such a word could still be a name to some reader. */
const NUMBER_NAME = /^(?:to|from)$/i;

class Scanner {
  readonly #text: string;
  readonly #members: ScannedMember[] = [];
  readonly #texts: ScannedText[] = [];
  readonly #stack: Frame[] = [];
  #frame: Frame = { close: null, next: 'value', name: '', start: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  read(found: readonly Token[]): Scan | null {
    for (const token of found) {
      if (token.kind !== 'mark' && token.kind !== 'cut') this.#texts.push({ text: spoken(token), start: token.start });
      const readable = token.kind === 'mark' ? this.#mark(token) : this.#scalar(token);
      if (!readable) return null;
    }
    for (const frame of [...this.#stack, this.#frame]) this.#leaveOpen(frame);
    return { text: this.#text, members: this.#members, texts: this.#texts };
  }

  #scalar(token: Token): boolean {
    const frame = this.#frame;
    if (frame.next === 'name' && token.kind !== 'number' && token.kind !== 'cut') {
      frame.name = spoken(token);
      frame.start = token.end;
      frame.next = 'colon';
      return true;
    }
    if (frame.next !== 'value' || (token.kind === 'word' && NUMBER_NAME.test(token.text))) return false;
    // A cut token is the last one, so its member stays open.
    if (token.kind !== 'cut' && token.kind !== 'cut-string') this.#finish(token.start, token.end);
    return true;
  }

  #mark(token: Token): boolean {
    const frame = this.#frame;
    switch (token.text) {
      case '{':
      case '[':
        return this.#open(token);
      case ':':
        if (frame.next !== 'colon') return false;
        frame.next = 'value';
        return true;
      case ',':
        // After the value at the top anything may follow, as long as it names nothing.
        if (frame.close === null) return true;
        if (frame.next !== 'comma') return false;
        frame.next = frame.close === '}' ? 'name' : 'value';
        return true;
      default:
        return this.#close(token);
    }
  }

  #open(token: Token): boolean {
    if (this.#frame.next !== 'value') return false;
    if (this.#frame.close === '}') this.#frame.start = token.start;
    this.#stack.push(this.#frame);
    const object = token.text === '{';
    this.#frame = { close: object ? '}' : ']', next: object ? 'name' : 'value', name: '', start: token.start };
    return true;
  }

  #close(token: Token): boolean {
    const { close, next, start } = this.#frame;
    if (close === null) return true;
    const outer = this.#stack.at(-1);
    if (close !== token.text || outer === undefined || next === 'colon' || (close === '}' && next === 'value')) {
      return false;
    }
    const from = outer.close === '}' ? outer.start : start;
    this.#stack.pop();
    this.#frame = outer;
    this.#finish(from, token.end);
    return true;
  }

  #finish(start: number, end: number): void {
    const frame = this.#frame;
    if (frame.close === null) return;
    frame.next = 'comma';
    if (frame.close !== '}') return;
    const raw = this.#text.slice(start, end);
    this.#members.push({ name: frame.name, raw, start, end });
  }

  #leaveOpen(frame: Frame): void {
    if (frame.close !== '}' || frame.next === 'name' || frame.next === 'comma') return;
    const { name, start } = frame;
    this.#members.push({ name, raw: '', start, end: this.#text.length });
  }
}
