/** Redacts secrets before an exchange is recorded. */

import { viewsOf } from './decoded-views.ts';
import type { RecordedLeak } from './exchange.ts';
import { isJsonText } from './json-text.ts';
import { type Hit, prefixOf, SEARCHABLE_LENGTH, type Secret, SecretSearch } from './secret-search.ts';
import { stretchesOf } from './texts.ts';

export type { Secret } from './secret-search.ts';

/** A redacted text, and the leaks that were found in it, each kind and encoding once. */
export interface Redaction {
  readonly text: string;
  readonly leaks: readonly Omit<RecordedLeak, 'where'>[];
}

/** What stands in a text where a secret was; it needs no escape in JSON, HTML or a shell's single quotes. */
function placeholder({ secret, encoding, shows }: Hit): string {
  const details = [secret.label, ...(encoding === 'raw' ? [] : [encoding]), ...(shows ? [] : ['in part'])];
  return `⟦${details.join(', ')}⟧`;
}

/** Texts up to this length come again and again: names and values of header fields, paths, rejections. */
const SHORT = 512;
/** As many of them are remembered at a time. */
const MOST_REMEMBERED = 4_096;

/** Knows the secrets of a run and redacts them in any text, in every usual encoding. */
export class Redactor {
  readonly #search = new SecretSearch();
  /** Values that are too short to be searched for, with the label of each. */
  readonly #short = new Map<string, string>();
  readonly #known = new Map<string, Redaction>();

  constructor(secrets: readonly Secret[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** From now on this secret is redacted, too. */
  add(secret: Secret): void {
    this.#known.clear();
    const { value } = secret;
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    if (value.length >= SEARCHABLE_LENGTH) this.#search.add({ ...secret, label });
    const part = value.slice(prefixOf(secret).length);
    for (const one of [value, value.slice(0, -1), part, part.slice(0, -1)])
      if (one !== '' && one.length < SEARCHABLE_LENGTH) this.#short.set(one, label);
  }

  /**
   * The text without secrets and without their parts of eight characters or more. A shorter secret is replaced only
   * where it is the whole text or a whole JSON string value, and is not a leak there.
   */
  redact(text: string): Redaction {
    if (text.length > SHORT) return this.#searched(text);
    const redaction = this.#known.get(text) ?? this.#searched(text);
    if (this.#known.size === MOST_REMEMBERED) this.#known.clear();
    this.#known.set(text, redaction);
    return redaction;
  }

  #searched(text: string): Redaction {
    const hits = text.length < SEARCHABLE_LENGTH ? [] : this.#hits(text);
    const leaks = new Map<string, Redaction['leaks'][number]>();
    for (const { secret, encoding, shows } of hits) {
      if (shows) leaks.set(`${secret.kind} ${encoding}`, { secret: secret.kind, encoding });
    }
    return { text: this.#withoutShort(withoutHits(text, hits)), leaks: [...leaks.values()] };
  }

  #hits(text: string): readonly Hit[] {
    return stretchesOf(text).flatMap((stretch) => {
      const [original, ...decoded] = viewsOf(stretch.text);
      // A match in the original could cut an escape in two.
      const views = decoded.length > 0 || original === undefined ? decoded : [original];
      const hits = views.flatMap((view) => this.#search.find(stretch.text, view));
      return hits.map((hit) => ({ ...hit, start: hit.start + stretch.start, end: hit.end + stretch.start }));
    });
  }

  #withoutShort(text: string): string {
    if (this.#short.size === 0) return text;
    const own = this.#short.get(text);
    if (own !== undefined) return `⟦${own}⟧`;
    // Each of at most seven characters may be escaped.
    return text.replace(
      /(?=")(?<=(?:^|[[:,])\s*)"((?:[^"\\]|\\.){1,42})"(?=\s*(?:[,\]}]|$))/g,
      (quoted, inside: string) => {
        const label = this.#short.get(inside) ?? this.#short.get(viewsOf(inside)[1]?.text ?? '');
        return label === undefined ? quoted : `"⟦${label}⟧"`;
      },
    );
  }
}

/** Hits that overlap become one placeholder. JSON stays JSON, since an error's envelope is judged from its record. */
function withoutHits(text: string, hits: readonly Hit[]): string {
  const cuts: { readonly start: number; end: number; named: Hit }[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const last = cuts.at(-1);
    if (last === undefined || hit.start >= last.end) cuts.push({ start: hit.start, end: hit.end, named: hit });
    else {
      last.end = Math.max(last.end, hit.end);
      if (isPlainer(hit, last.named)) last.named = hit;
    }
  }
  const pieces = cuts.map(({ start, named }, at) => text.slice(cuts[at - 1]?.end ?? 0, start) + placeholder(named));
  const clean = pieces.join('') + text.slice(cuts.at(-1)?.end ?? 0);
  const [first] = hits;
  if (first === undefined || !/^\s*[[{"\d-]/.test(text) || isJsonText(clean) || !isJsonText(text)) return clean;
  // A number that held a secret becomes a string.
  const quoted = clean.replace(/([[:,]\s*)[^\s,[\]{}"⟦]*(⟦[^⟧]*⟧)[^\s,[\]{}"]*(?=\s*[,\]}])/g, '$1"$2"');
  return isJsonText(quoted) ? quoted : `"${placeholder(first)}"`;
}

const isPlainer = (a: Hit, b: Hit): boolean => (a.shows === b.shows ? a.end - a.start > b.end - b.start : a.shows);
