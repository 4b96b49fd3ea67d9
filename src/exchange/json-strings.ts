/** The strings of a JSON text, found by their quotes alone: no parse, so depth and size do not matter. */

/** Where the string that opens at `open` closes, or `-1` where the text ends first. */
function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 92) at++;
    else if (unit === 34) return at;
  }
  return -1;
}

/** The places of the quotes around each string, in the order of the text. */
export function* stringRanges(text: string): Generator<readonly [open: number, close: number], undefined> {
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = closingQuote(text, open);
    if (close < 0) return;
    yield [open, close];
    open = text.indexOf('"', close + 1);
  }
}

function isName(text: string, after: number): boolean {
  let at = after;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
  return text.charAt(at) === ':';
}

/** The text with each string that is a value replaced by what `change` makes of its inside; `null` leaves it. */
export function changeStringValues(text: string, change: (inside: string) => string | null): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const [open, close] of stringRanges(text)) {
    const changed = isName(text, close + 1) ? null : change(text.slice(open + 1, close));
    if (changed !== null) {
      pieces.push(text.slice(copied, open + 1), changed);
      copied = close;
    }
  }
  return copied === 0 ? text : pieces.join('') + text.slice(copied);
}

/** The first units of a string's inside, at most `limit` and never half of an escape or of a surrogate pair. */
export function shortened(inside: string, limit: number): string | null {
  if (inside.length <= limit) return null;
  let at = 0;
  for (;;) {
    const step =
      inside[at] === '\\' ? (inside[at + 1] === 'u' ? 6 : 2) : (inside.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    if (at + step > limit) return `${inside.slice(0, at)}…`;
    at += step;
  }
}
