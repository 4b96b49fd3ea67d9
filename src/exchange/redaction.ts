/** Redacts secrets before an exchange is recorded. The reasons are in docs/design/redaction.md. */

import { KEPT } from '../contract/limits.ts';
import { viewsOf } from './decoded-views.ts';
import type { RecordedLeak } from './exchange.ts';
import { endOfMatch, parsedJson, pastString } from './json-text.ts';
import { type Hit, prefixOf, type Secret, SecretSearch } from './secret-search.ts';

export { isOrdinary, type Secret } from './secret-search.ts';

/** A redacted text, and the leaks that were found in it, each kind and encoding once. */
export interface Redaction {
  readonly text: string;
  readonly leaks: readonly Omit<RecordedLeak, 'where'>[];
}

/** What stands in a text where a secret was; it needs no escape in JSON, HTML or a shell's single quotes. */
function placeholder({ named: { secret, encoding, shows }, isFlood }: Cut): string {
  const details = [encoding === 'raw' ? '' : encoding, isFlood ? 'and what follows' : '', shows ? '' : 'in part'];
  return `⟦${[secret.label, ...details.filter((detail) => detail !== '')].join(', ')}⟧`;
}

/** Knows the secrets of a run and redacts them in any text, in every usual encoding. */
export class Redactor {
  readonly #search = new SecretSearch();
  /** Values that are too short to be searched for, with the label of each. */
  readonly #short = new Map<string, string>();
  /** Values of ordinary words, with the label of each. */
  readonly #ordinary = new Map<string, string>();

  constructor(secrets: readonly Secret[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** From now on this secret is redacted, too. */
  add(secret: Secret): void {
    const { value } = secret;
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    if (secret.isOrdinary === true) {
      this.#ordinary.set(value, label);
      return;
    }
    if (value.length >= KEPT.unmistakable) this.#search.add({ ...secret, label });
    const part = value.slice(prefixOf(secret).length);
    for (const one of [value, value.slice(0, -1), part, part.slice(0, -1)])
      if (one !== '' && one.length < KEPT.unmistakable) this.#short.set(one, label);
  }

  /**
   * The text without secrets and without their parts of eight characters or more. A shorter secret is replaced only
   * where it is the whole text or a whole JSON string value, and is not a leak there.
   */
  redact(text: string): Redaction {
    const hits = this.#hits(text);
    const clean = hits.length === 0 ? text : withoutHits(text, hits);
    return { text: this.#withoutShort(clean), leaks: leaksOf(hits) };
  }

  /** The same for a text that the suite sends: there a secret of ordinary words is replaced too, as the whole text or a JSON string value. */
  redactSent(text: string): string {
    const label = this.#ordinary.get(text);
    if (label !== undefined) return `⟦${label}⟧`;
    let { text: clean } = this.redact(text);
    for (const [value, own] of this.#ordinary) clean = clean.replaceAll(`:${JSON.stringify(value)}`, `:"⟦${own}⟧"`);
    return clean;
  }

  /** The leaks in a text of any length; nothing is made of it but these. */
  leaksIn(text: string): Redaction['leaks'] {
    return leaksOf(this.#hits(text));
  }

  #hits(text: string): readonly Hit[] {
    if (text.length < KEPT.unmistakable) return [];
    const views = viewsOf(text);
    const [original] = views;
    // With escapes, a match in the original could cut one in two.
    if (views.length > 1 || original === undefined)
      return views.slice(1).flatMap((view) => this.#search.find(text, view));
    return this.#search.find(text, original);
  }

  /** Replaces short secrets that are a whole JSON string value, in whatever text that value stands. */
  #withoutShort(text: string): string {
    if (this.#short.size === 0) return text;
    const own = this.#short.get(text);
    if (own !== undefined) return `⟦${own}⟧`;
    const pieces: string[] = [];
    let copied = 0;
    for (const { 1: inside = '', index } of text.matchAll(SHORT_STRING)) {
      const label = this.#short.get(inside) ?? this.#short.get(viewsOf(inside)[1]?.text ?? '');
      if (label === undefined || index < copied) continue;
      pieces.push(text.slice(copied, index), `"⟦${label}⟧"`);
      copied = index + inside.length + 2;
    }
    return pieces.join('') + text.slice(copied);
  }
}

/**
 * The opening quote of a string that may be a JSON value, by what stands around it. Each of at most seven characters may be
 * escaped. Only the quote is consumed: what looks like a string may begin at the end of another one.
 */
const SHORT_STRING = /"(?<=(?:^|[[:,])[ \t\n\r]*")(?=((?:[^"\\]|\\.){1,42})"[ \t\n\r]*(?:[\],}]|$))/g;

const NO_LEAKS: Redaction['leaks'] = [];

function leaksOf(hits: readonly Hit[]): Redaction['leaks'] {
  if (hits.length === 0) return NO_LEAKS;
  const leaks = new Map<string, Redaction['leaks'][number]>();
  for (const { secret, encoding, shows } of hits)
    if (shows) leaks.set(`${secret.kind} ${encoding}`, { secret: secret.kind, encoding });
  return [...leaks.values()];
}

/** A part of a text that is left out, and the hit that its placeholder names. */
interface Cut {
  readonly start: number;
  end: number;
  named: Hit;
  /** It covers hits that do not overlap, with what stands between them. */
  isFlood: boolean;
}

const STRUCTURE = /["[\]{}]/;

function cutsOf(text: string, hits: readonly Hit[]): readonly Cut[] {
  const cuts: Cut[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const last = cuts.at(-1);
    const isApart = last === undefined || hit.start >= last.end;
    const isFlood = isApart && cuts.length >= KEPT.placeholders && !STRUCTURE.test(text.slice(last?.end, hit.start));
    if (last === undefined || (isApart && !isFlood)) {
      cuts.push({ start: hit.start, end: hit.end, named: hit, isFlood: false });
    } else {
      last.end = Math.max(last.end, hit.end);
      last.isFlood ||= isFlood;
      if (isPlainer(hit, last.named)) last.named = hit;
    }
  }
  return cuts;
}

const isJsonText = (text: string): boolean => parsedJson(text) !== undefined;

/** Hits that overlap become one placeholder. JSON stays JSON, since an error's envelope is judged from its record. */
function withoutHits(text: string, hits: readonly Hit[]): string {
  const cuts = cutsOf(text, hits);
  const [first] = cuts;
  if (first === undefined) return text;
  const pieces = cuts.map((cut, at) => text.slice(cuts[at - 1]?.end ?? 0, cut.start) + placeholder(cut));
  const clean = pieces.join('') + text.slice(cuts.at(-1)?.end);
  if (!/^\s*[[{"\d-]/.test(text) || isJsonText(clean) || !isJsonText(text)) return clean;
  const quoted = withQuotedScalars(clean);
  return isJsonText(quoted) ? quoted : `"${placeholder(first)}"`;
}

const BETWEEN_SCALARS = /[\s,:[\]{}]+/y;
const IN_SCALAR = /[^\s,:[\]{}"⟦]+/y;

/** A number that held a secret becomes a string: its first placeholder. */
function withQuotedScalars(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    let named = '';
    at = text[at] === '"' ? pastString(text, at) : Math.max(at, endOfMatch(BETWEEN_SCALARS, text, at));
    if (at === start) {
      for (let end = at; end >= 0; end = endOfMatch(IN_SCALAR, text, at)) {
        at = end;
        if (text[at] !== '⟦') continue;
        const past = text.indexOf('⟧', at) + 1 || text.length;
        named ||= text.slice(at, past);
        at = past;
      }
    }
    pieces.push(named === '' ? text.slice(start, at) : `"${named}"`);
  }
  return pieces.join('');
}

const isPlainer = (a: Hit, b: Hit): boolean => (a.shows === b.shows ? a.end - a.start > b.end - b.start : a.shows);
