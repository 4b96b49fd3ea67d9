/** Finds many words in one pass over a text, by their letters and digits alone: what stands between them is skipped. */

import { letterAt, lettersOf, NUMBERS } from './letters.ts';

/** Letters of a word's beginning; six bits each, so that they are one number. */
export const BEGINNING = 5;
/** Bits of a number that belong to letters further back. */
const UNUSED = 32 - 6 * BEGINNING;
const SLOTS = 65_536;

interface Entry<T> {
  readonly letters: readonly number[];
  readonly meant: T[];
}

/** Where a word stands in a text, and everything that was added under its letters. */
export interface Find<T> {
  readonly start: number;
  readonly end: number;
  readonly meant: readonly T[];
}

/** Words with what each of them means. */
export class LetterSearch<T> {
  readonly #slots = new Uint8Array(SLOTS);
  readonly #beginnings = new Map<number, Entry<T>[]>();
  readonly #entries = new Map<string, Entry<T>>();

  /** Adds a word; one with too few letters is a RangeError, since it would be missed. */
  add(word: string, meaning: T): void {
    const letters = lettersOf(word);
    if (letters.length < BEGINNING) throw new RangeError(`the word has fewer than ${BEGINNING} letters`);
    const known = this.#entries.get(letters);
    if (known !== undefined) {
      known.meant.push(meaning);
      return;
    }
    const entry = { letters: Array.from(letters, (letter) => letterAt(letter, 0)), meant: [meaning] };
    const beginning = entry.letters.slice(0, BEGINNING).reduce((code, letter) => (code << 6) | letter, 0);
    this.#entries.set(letters, entry);
    this.#beginnings.set(beginning, [...(this.#beginnings.get(beginning) ?? []), entry]);
    this.#slots[slotOf(beginning)] = 1;
  }

  /** Every place where a word stands, in the order of the text. */
  find(text: string): readonly Find<T>[] {
    const finds: Find<T>[] = [];
    for (const at of endsOfBeginnings(text, this.#slots)) {
      for (const { letters, meant } of this.#beginnings.get(beginningAt(text, at)) ?? []) {
        const end = endOf(text, at, letters);
        if (end >= 0) finds.push({ start: startOf(text, at), end, meant });
      }
    }
    return finds;
  }
}

function slotOf(beginning: number): number {
  return Math.imul(beginning << UNUSED, 0x9e3779b1) >>> 16;
}

/** Where a beginning may end. Every text is read here letter by letter, so that nothing else is done in this loop. */
function endsOfBeginnings(text: string, slots: Uint8Array): readonly number[] {
  const numbers = NUMBERS;
  const ends: number[] = [];
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = numbers[text.charCodeAt(at)] as number;
    // Six bits further for a letter and none for anything else; to ask first which it is takes longer.
    last = (last << (((letter + 63) >> 6) * 6)) | letter;
    if (slots[slotOf(last)] === 1 && letter !== 0) ends.push(at);
  }
  return ends;
}

/** The letters of the beginning that ends at a place, as one number. */
function beginningAt(text: string, at: number): number {
  let beginning = 0;
  for (let [from, bits] = [at, 0]; from >= 0 && bits < 6 * BEGINNING; from--) {
    const letter = letterAt(text, from);
    if (letter === 0) continue;
    beginning |= letter << bits;
    bits += 6;
  }
  return beginning;
}

/** Where the word ends whose last letter of the beginning stands at `at`, or `-1` where the text goes on otherwise. */
function endOf(text: string, at: number, letters: readonly number[]): number {
  let end = at;
  for (let next = BEGINNING; next < letters.length; next++) {
    do end++;
    while (end < text.length && letterAt(text, end) === 0);
    if (end >= text.length || letterAt(text, end) !== letters[next]) return -1;
  }
  return end + 1;
}

function startOf(text: string, at: number): number {
  let start = at;
  for (let left = BEGINNING - 1; left > 0; left--) {
    do start--;
    while (start > 0 && letterAt(text, start) === 0);
  }
  return start;
}
