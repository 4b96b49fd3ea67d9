/** Takes secrets out of texts where an exchange is recorded; what is recorded never held one. */

import type { View } from './decoded-views.ts';
import { settled, viewsOf, widened } from './decoded-views.ts';
import { changeStringValues } from './json-strings.ts';
import type { Find } from './letter-search.ts';
import { BEGINNING, LetterSearch } from './letter-search.ts';
import { lettersOf } from './letters.ts';
import type { Hit, Redaction } from './replacement.ts';
import { placeholder, withoutHits } from './replacement.ts';
import type { SearchWord, Secret } from './secret-forms.ts';
import { foldCase, SEARCHABLE_LENGTH, searchWords, wholeValues } from './secret-forms.ts';
import { stretchesOf } from './stretches.ts';
import { writtenWords } from './written-forms.ts';

export type { Redaction, SeenSecret } from './replacement.ts';
export type { Secret } from './secret-forms.ts';

/** A word of a secret; `exact`: it stands as it is, with every sign between its letters. */
interface Watched {
  readonly kind: Secret['kind'];
  readonly label: string;
  readonly word: SearchWord;
  readonly exact: boolean;
}

type Range = readonly [start: number, end: number];

const ESCAPES = [
  ['percent-encoded', /%[0-9a-f]{2}/i],
  ['JSON-escaped', /\\/],
  ['HTML-escaped', /&/],
] as const;

const BASE64_LETTER = /[a-z0-9+/_-]/i;

function encodingOf(word: SearchWord, original: string, decoded: boolean): string {
  const escapes = decoded ? ESCAPES.filter(([, mark]) => mark.test(original)).map(([name]) => name) : [];
  return [...escapes, ...(word.encoding === 'raw' ? [] : [word.encoding])].join(' ') || 'raw';
}

/** The whole find in a view: the core, what stands there of its neighbours, and the base64 letters that it shares. */
function extent(folded: string, word: SearchWord, at: number): Range {
  const { head, tail } = word;
  let [start, end] = [at, at + word.core.length];
  for (let n = 0; n < tail.length && folded[end] === tail[n]; n++) end++;
  for (let n = head.length - 1; n >= 0 && start > 0 && folded[start - 1] === head[n]; n--) start--;
  return withEdges(folded, word, [start, end]);
}

function withEdges(text: string, word: SearchWord, range: Range): Range {
  let [start, end] = range;
  const [before, after] = word.edges;
  for (let n = 0; n < before && BASE64_LETTER.test(text.charAt(start - 1)); n++) start--;
  for (let n = 0; n < after && BASE64_LETTER.test(text.charAt(end)); n++) end++;
  return [start, end];
}

/** Where a word stands sign by sign in a view. */
function exactRanges(folded: string, word: SearchWord): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = folded.indexOf(word.core); at >= 0; ) {
    const range = extent(folded, word, at);
    ranges.push(range);
    at = folded.indexOf(word.core, range[1]);
  }
  return ranges;
}

/** Knows the secrets of a run and takes them out of any text, in whatever usual encoding they stand there. */
export class Redactor {
  readonly #search = new LetterSearch<Watched>();
  /** Words of hardly any letters, which are looked for one by one. */
  readonly #unlettered: Watched[] = [];
  readonly #values = new Set<string>();
  /** Values that are replaced where they are the whole of a text, with what they are. */
  readonly #labels = new Map<string, string>();

  constructor(secrets: readonly Secret[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** From now on this secret is taken out too; an empty value and one that is known already change nothing. */
  add(secret: Secret): void {
    if (secret.value === '' || this.#values.has(secret.value)) return;
    this.#values.add(secret.value);
    const { kind } = secret;
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    for (const value of wholeValues(secret)) this.#labels.set(value, label);
    for (const word of searchWords(secret, settled)) this.#watch({ kind, label, word, exact: true });
    for (const word of writtenWords(secret)) this.#watch({ kind, label, word, exact: false });
  }

  #watch(watched: Watched): void {
    const { core } = watched.word;
    if (lettersOf(core).length < BEGINNING) this.#unlettered.push(watched);
    else this.#search.add(core, watched);
  }

  /**
   * The text without secrets. A secret of fewer than eight characters is replaced only where it is the whole text or a
   * whole JSON string value, and is no leak there: so short a value stands in many texts by chance.
   */
  redact(text: string): Redaction {
    const hits = text.length < SEARCHABLE_LENGTH ? [] : this.#hits(text);
    const { text: clean, leaks } = hits.length === 0 ? { text, leaks: [] } : withoutHits(text, hits);
    return { text: this.#withoutWholeValues(clean), leaks };
  }

  /** What is found in a long text, stretch by stretch: what overlaps is found twice and replaced once. */
  #hits(text: string): readonly Hit[] {
    const hits: Hit[] = [];
    for (const { text: stretch, start } of stretchesOf(text)) {
      for (const hit of this.#hitsIn(stretch)) hits.push({ ...hit, start: hit.start + start, end: hit.end + start });
    }
    return hits;
  }

  /** The plainest first: sign by sign in every view, then by letters alone, then what shows nothing. */
  #hitsIn(text: string): readonly Hit[] {
    const views = viewsOf(text);
    const finds = views.map((view) => [view, this.#search.find(view.text)] as const);
    if (this.#unlettered.length === 0 && finds.every(([, found]) => found.length === 0)) return [];
    const hits = [
      ...finds.flatMap(([view, found]) => this.#exactHits(views, view, found)),
      ...finds.flatMap(([view, found]) => letterHits(views, view, found)),
    ];
    return [...hits.filter(({ shows }) => shows), ...hits.filter(({ shows }) => !shows)];
  }

  #exactHits(views: readonly View[], view: View, finds: readonly Find<Watched>[]): readonly Hit[] {
    const words = new Set(this.#unlettered);
    for (const { meant } of finds) for (const watched of meant) if (watched.exact) words.add(watched);
    if (words.size === 0) return [];
    const folded = foldCase(view.text);
    return [...words].flatMap((watched) =>
      exactRanges(folded, watched.word).map((range) => hitAt(views, view, watched, range)),
    );
  }

  #withoutWholeValues(text: string): string {
    const labels = this.#labels;
    if (labels.size === 0) return text;
    const own = labels.get(text);
    if (own !== undefined) return placeholder(own, 'raw');
    return changeStringValues(text, (inside) => {
      // Six letters for each escaped unit: longer insides cannot be a short value.
      const label = inside.length >= SEARCHABLE_LENGTH * 6 ? undefined : labels.get(unescaped(inside));
      return label === undefined ? null : placeholder(label, 'raw');
    });
  }
}

/** What is found by letters alone, as a hit of the first form that has them; a find within another is left out. */
function letterHits(views: readonly View[], view: View, finds: readonly Find<Watched>[]): readonly Hit[] {
  const hits: Hit[] = [];
  let reached = 0;
  for (const { start, end, meant } of finds) {
    const watched = end <= reached ? undefined : meant.find(({ exact }) => !exact);
    // From the name of a member into its value is no way to write anything.
    if (watched === undefined || /"\s*:/.test(view.text.slice(start, end))) continue;
    hits.push(hitAt(views, view, watched, withEdges(view.text, watched.word, [start, end])));
    reached = end;
  }
  return hits;
}

function hitAt(views: readonly View[], { text, origin }: View, watched: Watched, [first, last]: Range): Hit {
  const { kind, label, word } = watched;
  const [start, end] = widened(views, origin?.[first] ?? first, origin?.[last] ?? last);
  const original = views[0]?.text ?? text;
  return {
    start,
    end,
    kind,
    label,
    encoding: encodingOf(word, original.slice(start, end), origin !== null),
    shows: word.shows,
  };
}

function unescaped(inside: string): string {
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return inside;
  }
}
