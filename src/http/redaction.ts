/** Takes secrets out of texts where an exchange is recorded; what is recorded never held one. */

import type { View } from './decoded-views.ts';
import { settled, viewsOf, widened } from './decoded-views.ts';
import { changeStringValues } from './json-strings.ts';
import type { SearchWord, Secret } from './secret-forms.ts';
import { SEARCHABLE_LENGTH, searchWords, wholeValues } from './secret-forms.ts';
import { type Stretch, stretchesOf } from './stretches.ts';
import { WordSieve } from './word-sieve.ts';

export type { Secret } from './secret-forms.ts';

/** A secret that was seen in a text, and how it was written there: `raw`, `base64`, `percent-encoded base64`. */
export interface SeenSecret {
  readonly secret: Secret['kind'];
  readonly encoding: string;
}

/** A text without secrets, and what was taken out of it, each kind and encoding once. */
export interface Redaction {
  readonly text: string;
  readonly leaks: readonly SeenSecret[];
}

interface Watched {
  readonly kind: Secret['kind'];
  readonly label: string;
  readonly words: readonly SearchWord[];
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly watched: Watched;
  readonly encoding: string;
}

const ESCAPES = [
  ['percent-encoded', /%[0-9a-f]{2}/i],
  ['JSON-escaped', /\\/],
  ['HTML-escaped', /&/],
] as const;

const BASE64_LETTER = /[a-z0-9+/_-]/;

function encodingOf(word: SearchWord, original: string, decoded: boolean): string {
  const escapes = decoded ? ESCAPES.filter(([, mark]) => mark.test(original)).map(([name]) => name) : [];
  return [...escapes, ...(word.encoding === 'raw' ? [] : [word.encoding])].join(' ') || 'raw';
}

/** The whole find in a view: the core, what belongs to it on either side, and the base64 letters that it shares. */
function extent(folded: string, word: SearchWord, at: number): readonly [start: number, end: number] {
  let start = at;
  let end = at + word.core.length;
  if (folded.startsWith(word.tail, end)) end += word.tail.length;
  if (start >= word.head.length && folded.startsWith(word.head, start - word.head.length)) start -= word.head.length;
  const [before, after] = word.edges;
  for (let n = 0; n < before && BASE64_LETTER.test(folded.charAt(start - 1)); n++) start--;
  for (let n = 0; n < after && BASE64_LETTER.test(folded.charAt(end)); n++) end++;
  return [start, end];
}

function hitsOf(text: string, views: readonly View[], view: View, watched: Watched, word: SearchWord): readonly Hit[] {
  const hits: Hit[] = [];
  const { folded, origin } = view;
  for (let at = folded.indexOf(word.core); at >= 0; ) {
    const [first, last] = extent(folded, word, at);
    const [start, end] = widened(views, origin?.[first] ?? first, origin?.[last] ?? last);
    hits.push({ start, end, watched, encoding: encodingOf(word, text.slice(start, end), origin !== null) });
    at = folded.indexOf(word.core, last);
  }
  return hits;
}

/** Hits that touch the same text are one; the plainest reading, which comes first, names it. */
function replaceHits(text: string, hits: readonly Hit[]): Redaction {
  const order = new Map(hits.map((hit, at) => [hit, at]));
  const before = (a: Hit, b: Hit): boolean => (order.get(a) ?? 0) < (order.get(b) ?? 0);
  const groups: { end: number; readonly start: number; named: Hit }[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const last = groups.at(-1);
    if (last === undefined || hit.start >= last.end) {
      groups.push({ start: hit.start, end: hit.end, named: hit });
      continue;
    }
    last.end = Math.max(last.end, hit.end);
    if (before(hit, last.named)) last.named = hit;
  }
  const pieces: string[] = [];
  const leaks = new Map<string, SeenSecret>();
  let copied = 0;
  for (const { start, end, named } of groups) {
    pieces.push(text.slice(copied, start), placeholder(named.watched.label, named.encoding));
    copied = end;
    const leak = { secret: named.watched.kind, encoding: named.encoding };
    leaks.set(`${leak.secret} ${leak.encoding}`, leak);
  }
  return { text: pieces.join('') + text.slice(copied), leaks: [...leaks.values()] };
}

/** What stands in a text where a secret was; it needs no escape in JSON, HTML or a shell's single quotes. */
export function placeholder(label: string, encoding: string): string {
  return encoding === 'raw' ? `⟦${label}⟧` : `⟦${label}, ${encoding}⟧`;
}

/** Knows the secrets of a run and takes them out of any text, in whatever usual encoding they stand there. */
export class Redactor {
  readonly #known: Watched[] = [];
  readonly #sieve = new WordSieve(SEARCHABLE_LENGTH);
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
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    for (const value of wholeValues(secret)) this.#labels.set(value, label);
    const words = searchWords(secret, settled);
    for (const { core } of words) this.#sieve.add(core);
    this.#known.push({ kind: secret.kind, label, words });
  }

  /**
   * The text without secrets. A secret of fewer than eight characters is replaced only where it is the whole text or a
   * whole JSON string value, and is no leak there: so short a value stands in many texts by chance.
   */
  redact(text: string): Redaction {
    const { text: clean, leaks } = text.length < SEARCHABLE_LENGTH ? { text, leaks: [] } : this.#search(text);
    return { text: this.#withoutWholeValues(clean), leaks };
  }

  #search(text: string): Redaction {
    const hits: Hit[] = [];
    for (const stretch of stretchesOf(text)) for (const hit of this.#hitsIn(stretch)) hits.push(hit);
    return hits.length === 0 ? { text, leaks: [] } : replaceHits(text, hits);
  }

  #hitsIn({ text, start }: Stretch): readonly Hit[] {
    const views = viewsOf(text);
    const hits = views
      .filter(({ folded }) => this.#sieve.mayHold(folded))
      .flatMap((view) =>
        this.#known.flatMap((watched) => watched.words.flatMap((word) => hitsOf(text, views, view, watched, word))),
      );
    return start === 0 ? hits : hits.map((hit) => ({ ...hit, start: hit.start + start, end: hit.end + start }));
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

function unescaped(inside: string): string {
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return inside;
  }
}
