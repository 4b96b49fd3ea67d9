/** Redacts secrets before an exchange is recorded. The reasons are in docs/design/redaction.md. */

import { KEPT } from '../contract/limits.ts';
import type { RecordedLeak } from './exchange.ts';
import { endOfMatch, parsedJson, pastString } from './json-text.ts';
import { type Hit, prefixOf, type Secret, SecretSearch } from './secret-search.ts';

export { isOrdinary, type Secret } from './secret-search.ts';

/** A redacted text, and the leaks found in it, each kind and encoding once. */
export interface Redaction {
  readonly text: string;
  readonly leaks: readonly Omit<RecordedLeak, 'where'>[];
}

/** The placeholder for a secret; it needs no escape in JSON, HTML or a shell's single quotes. */
function placeholder({ secret, encoding, shows }: Hit): string {
  const details = [encoding === 'raw' ? '' : encoding, shows ? '' : 'in part'];
  return `⟦${[secret.label, ...details.filter((detail) => detail !== '')].join(', ')}⟧`;
}

/** Knows the secrets of a run and redacts them in any text, in every usual encoding. */
export class Redactor {
  readonly #search = new SecretSearch();
  /** Values that are too short to be searched for, with the label of each. */
  readonly #short = new Map<string, string>();
  /** The same, and values of ordinary words. */
  readonly #sent = new Map<string, string>();

  constructor(secrets: readonly Secret[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Adds a secret to redact. */
  add(secret: Secret): void {
    const { value } = secret;
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    if (secret.isOrdinary === true) {
      this.#sent.set(value, label);
      return;
    }
    if (value.length >= KEPT.unmistakable) this.#search.add({ ...secret, label });
    const part = value.slice(prefixOf(secret).length);
    for (const text of [value, value.slice(0, -1), part, part.slice(0, -1)]) {
      if (text === '' || text.length >= KEPT.unmistakable) continue;
      this.#short.set(text, label);
      this.#sent.set(text, label);
    }
  }

  /**
   * The text without secrets and parts of them with eight characters or more. A shorter secret is replaced only
   * where it is the whole text or a whole JSON string value, and is not a leak there.
   */
  redact(text: string): Redaction {
    const hits = this.#search.find(text);
    if (hits.length === 0) return { text: withoutValues(text, this.#short), leaks: NO_LEAKS };
    return { text: withoutValues(withoutHits(text, hits), this.#short), leaks: leaksOf(hits) };
  }

  /** The same for a text that the suite sends, in which secrets of ordinary words are replaced like short ones. */
  readonly redactSent = (text: string): string => withoutValues(this.redact(text).text, this.#sent);
}

const COLON = /\s*:/y;

/** Replaces a value that is the whole text, or a whole JSON string that is not a member name. */
function withoutValues(text: string, labels: ReadonlyMap<string, string>): string {
  if (labels.size === 0) return text;
  const label = labels.get(text);
  if (label !== undefined) return `⟦${label}⟧`;
  const pieces: string[] = [];
  let copied = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = pastString(text, start);
    const inside = text.slice(start + 1, end - 1);
    const known = labels.get(inside.includes('\\') ? String(parsedJson(`"${inside}"`)) : inside);
    if (known !== undefined && endOfMatch(COLON, text, end) < 0) {
      pieces.push(text.slice(copied, start), `"⟦${known}⟧"`);
      copied = end;
    }
    start = text.indexOf('"', end);
  }
  return pieces.join('') + text.slice(copied);
}

const NO_LEAKS: Redaction['leaks'] = [];

function leaksOf(hits: readonly Hit[]): Redaction['leaks'] {
  const leaks = new Map<string, Redaction['leaks'][number]>();
  for (const { secret, encoding, shows } of hits)
    if (shows) leaks.set(`${secret.kind} ${encoding}`, { secret: secret.kind, encoding });
  return [...leaks.values()];
}

/** Hits that overlap become one placeholder. JSON stays JSON: a text in which a placeholder cannot stand, such as a number, becomes one. */
function withoutHits(text: string, hits: readonly Hit[]): string {
  const cuts: { readonly start: number; end: number; named: Hit }[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const last = cuts.at(-1);
    if (last === undefined || hit.start >= last.end) {
      cuts.push({ start: hit.start, end: hit.end, named: hit });
    } else {
      last.end = Math.max(last.end, hit.end);
      if (isPlainer(hit, last.named)) last.named = hit;
    }
  }
  const marks = cuts.map(({ named }) => placeholder(named));
  const pieces = cuts.map(({ start }, at) => text.slice(cuts[at - 1]?.end ?? 0, start) + marks[at]);
  const clean = pieces.join('') + text.slice(cuts.at(-1)?.end);
  if (!/^\s*[[{"\d-]/.test(text) || parsedJson(clean) !== undefined || parsedJson(text) === undefined) return clean;
  return `"${marks[0]}"`;
}

const isPlainer = (a: Hit, b: Hit): boolean => (a.shows === b.shows ? a.end - a.start > b.end - b.start : a.shows);
