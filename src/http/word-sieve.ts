/** A quick look whether any of many search words can stand in a text at all; nearly every text holds none. */

/** Letters of a gram. Every word is longer, so that some gram of its beginning lies at a place that is looked at. */
const GRAM = 4;
const SLOTS = 65_536;

/** Words of one least length, as the grams of their beginnings. */
export class WordSieve {
  readonly #reach: number;
  readonly #slots = new Uint8Array(SLOTS);
  readonly #grams = new Set<string>();

  /** `least`: the length that every word has at least, and more than a gram's. */
  constructor(least: number) {
    if (least < GRAM) throw new RangeError(`a word has at least ${GRAM} letters`);
    this.#reach = least;
  }

  /** Adds a word; one that is too short is a RangeError, since it would be missed. */
  add(word: string): void {
    if (word.length < this.#reach) throw new RangeError(`the word has fewer than ${this.#reach} letters`);
    for (let at = 0; at + GRAM <= this.#reach; at++) {
      this.#slots[slotAt(word, at)] = 1;
      this.#grams.add(word.slice(at, at + GRAM));
    }
  }

  /** `false` only where no word stands in the text. */
  mayHold(text: string): boolean {
    // Wherever a word begins, one of the next places that are looked at lies within its first letters.
    const step = this.#reach - GRAM + 1;
    for (let at = 0; at + GRAM <= text.length; at += step) {
      if (this.#slots[slotAt(text, at)] === 1 && this.#grams.has(text.slice(at, at + GRAM))) return true;
    }
    return false;
  }
}

function slotAt(text: string, at: number): number {
  let slot = 0;
  for (let next = at; next < at + GRAM; next++) slot = Math.imul(slot, 31) + text.charCodeAt(next);
  return slot & (SLOTS - 1);
}
