/** A text as its readers may see it: percent, JSON and HTML escapes decoded, with the way back to the original. */

import { KEPT } from '../contract/limits.ts';

/** One reading of a text, and where each of its characters begins in the original. */
export interface View {
  readonly text: string;
  readonly place: (at: number) => number;
}

const ANY_ESCAPE =
  /%[0-9a-fA-F]{2}|\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])|&(?:#[xX][0-9a-fA-F]{1,6};?|#\d{1,7};?|[a-z]{2,6};)/g;

const NAMED = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=', nbsp: ' ' }),
);

/** The character that an escape stands for, or `undefined` where it stands for none. */
function characterOf(sequence: string): string | undefined {
  if (sequence.startsWith('\\')) return String(JSON.parse(`"${sequence}"`));
  const [, hex, decimal, name = ''] = /^(?:%|&#x)(\w+)|&#(\d+)|&(\w+)/i.exec(sequence) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return name !== '' || code > 0x10ffff ? NAMED.get(name) : String.fromCodePoint(code);
}

/** The view with one more level of escapes decoded, or `null` where it holds none. */
function decodedOnce({ text, place }: View): View | null {
  // Three searches for one character each are much faster than one for three.
  if (!text.includes('\\') && !text.includes('%') && !text.includes('&')) return null;
  const places = new Uint32Array(text.length + 1);
  let [copied, length] = [0, 0];
  const copyTo = (end: number): void => {
    while (copied < end) places[length++] = copied++;
  };
  const decoded = text.replace(ANY_ESCAPE, (sequence, at: number) => {
    const character = characterOf(sequence);
    if (character === undefined) return sequence;
    copyTo(at);
    places.fill(at, length, length + character.length);
    length += character.length;
    copied = at + sequence.length;
    return character;
  });
  if (copied === 0) return null;
  copyTo(text.length);
  return { text: decoded, place: (at) => place(at < length ? (places[at] ?? 0) : text.length) };
}

/** The text itself and its decoded views, up to three levels deep. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [];
  for (let view: View | null = { text, place: (at) => at }; view !== null; view = decodedOnce(view)) {
    views.push(view);
    if (views.length > KEPT.encodings) break;
  }
  return views;
}
