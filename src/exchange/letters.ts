/** The letters and digits of a text, whatever stands between them and however they are drawn. */

import { foldCase } from './secret-forms.ts';

/** Where Unicode has letters and digits that are ASCII's in another dress: superscript, circled, fullwidth. */
const BLOCKS = [
  [0, 0x3000],
  [0xff00, 0xffef],
] as const;

function numberOf(character: string): number {
  const plain = foldCase(character.normalize('NFKC'));
  if (/^[0-9]$/.test(plain)) return plain.charCodeAt(0) - 47;
  return /^[a-z]$/.test(plain) ? plain.charCodeAt(0) - 86 : 0;
}

function numbersOf(blocks: typeof BLOCKS): Uint8Array {
  const numbers = new Uint8Array(65_536);
  for (const [from, to] of blocks) {
    for (let unit = from; unit < to; unit++) numbers[unit] = numberOf(String.fromCharCode(unit));
  }
  return numbers;
}

/** Which letter or digit a unit is: from 1 to 36, or 0 for anything else. */
export const NUMBERS: Uint8Array = numbersOf(BLOCKS);

/** The number of the letter or digit at a place. */
export function letterAt(text: string, at: number): number {
  return NUMBERS[text.charCodeAt(at)] ?? 0;
}

/** Only the letters and digits of a text, in lower case. */
export function lettersOf(text: string): string {
  const letters: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const number = letterAt(text, at);
    if (number !== 0) letters.push(String.fromCharCode(number + (number > 10 ? 86 : 47)));
  }
  return letters.join('');
}
