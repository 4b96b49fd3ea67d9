/** A long text in stretches that overlap: what is made of each for a search is small and soon gone. */

/** A stretch of a text and where it begins there. */
export interface Stretch {
  readonly text: string;
  readonly start: number;
}

/** Units of a stretch; a shorter text is one. */
const STRETCH = 1_048_576;
/** A word of a few hundred letters, each escaped three times over, is shorter and thus whole in some stretch. */
const OVERLAP = 131_072;

/** The stretches of a text in their order. */
export function* stretchesOf(text: string): Generator<Stretch> {
  if (text.length <= STRETCH) {
    yield { text, start: 0 };
    return;
  }
  for (let start = 0; start + OVERLAP < text.length; start += STRETCH - OVERLAP) {
    yield { text: text.slice(start, start + STRETCH), start };
  }
}

/** The same text by itself: a piece that was cut out of a long text, or joined from such, keeps all of that in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
