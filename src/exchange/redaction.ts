/**
 * Redacts secrets before an exchange is recorded. All or a part of a secret is searched for in every usual encoding: in
 * the text, or, where the text has percent, JSON or HTML escapes, in its decoded views, with positions mapped back to
 * the original. The reasons are in docs/design/redaction.md.
 */

import { KEPT } from '../contract/limits.ts';
import type { RecordedLeak } from './exchange.ts';
import { endOfMatch, parsedJson, pastString } from './json-text.ts';

/** A value that no artefact may hold. `label` names it in placeholders: `inbound secret`. */
export interface Secret {
  readonly kind: RecordedLeak['secret'];
  readonly label: string;
  readonly value: string;
  /** `true` for a secret of ordinary words, which a target may write independently: only masked where we send it. */
  readonly isOrdinary?: boolean;
}

const ORDINARY_WORD = /^(?:[A-Za-z]?[a-z]{0,14}|[A-Z]{1,15}|\d{0,3})$/;

/** Whether a text consists of words and small numbers, as `application/json; charset=utf-8` and `not_found` do. */
export const isOrdinary = (text: string): boolean =>
  text.split(/[^A-Za-z0-9]+/).every((word) => ORDINARY_WORD.test(word));

/** Where a secret or a part of it is found in a text; `shows` means that this reveals the secret. */
interface Hit {
  readonly secret: Secret;
  readonly encoding: string;
  readonly start: number;
  readonly end: number;
  readonly shows: boolean;
}

/** A decoded view of a text, and where each of its characters begins in the original. */
interface View {
  readonly text: string;
  readonly place: (at: number) => number;
}

const ANY_ESCAPE =
  /%[0-9a-fA-F]{2}|\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])|&(?:#[xX][0-9a-fA-F]{1,6};?|#\d{1,7};?|[a-z]{2,6};)/g;

const NAMED = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=', nbsp: ' ' }),
);

/** The character of an escape, or `undefined` for an invalid escape. */
function characterOf(sequence: string): string | undefined {
  if (sequence.startsWith('\\')) return String(JSON.parse(`"${sequence}"`));
  const [, hex, decimal, name = ''] = /^(?:%|&#x)(\w+)|&#(\d+)|&(\w+)/i.exec(sequence) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return name !== '' || code > 0x10ffff ? NAMED.get(name) : String.fromCodePoint(code);
}

/** The view with one more level of escapes decoded, or `null` if it has none. */
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
function viewsOf(text: string): readonly [View, ...View[]] {
  const original: View = { text, place: (at) => at };
  const decoded: View[] = [];
  for (let view = decodedOnce(original); view !== null && decoded.length < KEPT.encodings; view = decodedOnce(view))
    decoded.push(view);
  return [original, ...decoded];
}

/** One encoding of a secret; pieces of `part` characters or more are searched for. */
interface Form {
  readonly secret: Secret;
  readonly encoding: string;
  readonly text: string;
  /** The same in lower case, of the same length. */
  readonly folded: string;
  /** The public prefix of a credential, in lower case. */
  readonly prefix: string;
  readonly part: number;
}

/** The public prefix of a credential ends with its first `org_` (section 5). */
function prefixOf({ kind, value }: Secret): string {
  return (kind === 'credential' && /^.*?org_(?=.)/s.exec(value)?.[0]) || '';
}

/** Lower case without a change of length: U+0130 alone would become two units. */
function foldCase(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text.replaceAll('\u0130', 'i').toLowerCase();
}

/** The base64 letters that depend on nothing but this text, at each alignment. */
function base64(text: string, alphabet: 'base64' | 'base64url'): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
    return bytes.toString(alphabet).slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

/** A value in every encoding, and the shortest part of each that is searched for. */
function* written(value: string): Generator<readonly [encoding: string, part: number, texts: readonly string[]]> {
  // Percent escapes stand for bytes, and a form writes a blank as a plus sign.
  const decoded = viewsOf(value).map(({ text }) => text);
  const latin = Buffer.from(value).toString('latin1');
  // A credential of eight characters is also sent without its last character.
  const part = Math.min(KEPT.unmistakable, value.length - 1);
  yield ['raw', part, [...decoded, latin, value.replaceAll(' ', '+')]];
  yield ['hex', 16, [Buffer.from(value).toString('hex')]];
  for (const alphabet of ['base64', 'base64url'] as const) {
    const once = base64(value, alphabet);
    yield [alphabet, 10, once];
    yield [alphabet, 12, once.flatMap((text) => base64(text, alphabet))];
  }
}

function formsOf(secret: Secret): Iterable<Form> {
  const prefix = prefixOf(secret);
  const rest = secret.value.slice(prefix.length);
  // If the secret part of a credential is short, only the whole is secret.
  const isShort = rest.length < KEPT.unmistakable;
  const forms = new Map<string, Form>();
  for (const [encoding, least, texts] of written(isShort ? secret.value : rest)) {
    for (const text of texts) {
      const folded = foldCase(text);
      const part = isShort ? text.length : least;
      if (!forms.has(folded)) forms.set(folded, { secret, encoding, text, folded, prefix: foldCase(prefix), part });
    }
  }
  return forms.values();
}

/** Any seven characters (a secret of eight without its last) contain four that begin at a multiple of `STRIDE`. */
const GRAM = 4;
const STRIDE = KEPT.unmistakable - GRAM;
/** The size of the table: 32 secrets fill a tenth of it, and it fits into the cache of a core. */
const BITS = 18;

/** The characters as a number: no two are equal in ASCII, and others are told apart by `hitAt`. */
function gramAt(text: string, at: number): number {
  let gram = 0;
  for (let n = at; n < at + GRAM; n++) gram = (gram << 7) ^ text.charCodeAt(n);
  return gram;
}

const gramSlot = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - BITS);

const NO_HITS: readonly Hit[] = [];

/** Finds secrets and their parts of eight characters or more in one pass over a text. */
class SecretSearch {
  /** The forms and places of each four characters; the table tells quickly that no form contains them. */
  readonly #grams = new Map<number, { readonly form: Form; readonly at: number }[]>();
  readonly #slots = new Uint8Array(2 ** BITS);

  add(secret: Secret): void {
    for (const form of formsOf(secret)) {
      for (let at = 0; at + GRAM <= form.folded.length; at++) {
        const gram = gramAt(form.folded, at);
        const places = this.#grams.get(gram);
        if (places === undefined) this.#grams.set(gram, [{ form, at }]);
        else places.push({ form, at });
        this.#slots[gramSlot(gram)] = 1;
      }
    }
  }

  /** Every hit in a text; hits may overlap. */
  find(text: string): readonly Hit[] {
    if (text.length < KEPT.unmistakable) return NO_HITS;
    const [original, ...decoded] = viewsOf(text);
    // With escapes, a match in the original could cut one in two.
    return (decoded.length > 0 ? decoded : [original]).flatMap((view) => this.#findIn(view, text));
  }

  #findIn(view: View, original: string): readonly Hit[] {
    const text = foldCase(view.text);
    let at = this.#next(text, 0);
    if (at >= text.length) return NO_HITS;
    const hits: Hit[] = [];
    /** Where the last hit of a form ends: for a repetitive form, the hits from one place are enough. */
    const ends = new Map<Form, number>();
    for (; at < text.length; at = this.#next(text, at + STRIDE)) {
      const places = this.#grams.get(gramAt(text, at)) ?? [];
      const isNew = places.map(({ form }) => (ends.get(form) ?? 0) < at + GRAM);
      for (const [nth, { form, at: place }] of places.entries()) {
        const hit = isNew[nth] === true ? hitAt(text, at, form, place) : null;
        if (hit === null) continue;
        ends.set(form, Math.max(hit.end, ends.get(form) ?? 0));
        const [start, end] = [view.place(hit.start), view.place(hit.end)];
        hits.push({ ...hit, start, end, encoding: writtenEncoding(form, original.slice(start, end)) });
      }
    }
    return hits;
  }

  /** The first place from there with four characters of a form; the end of the text or beyond if there is none. */
  #next(text: string, from: number): number {
    for (let at = from; at + GRAM <= text.length; at += STRIDE) {
      const gram = gramAt(text, at);
      if (this.#slots[gramSlot(gram)] !== 0 && this.#grams.has(gram)) return at;
    }
    return text.length;
  }
}

const BASE64_LETTER = /[a-z0-9+/_-]/;

/** The longest match around four characters, or `null` if it is too short to be a part of the secret. */
function hitAt(text: string, at: number, form: Form, place: number): Hit | null {
  const { secret, encoding, folded, prefix, part } = form;
  const shift = place - at;
  let [start, end] = [at, at];
  while (start > 0 && text[start - 1] === folded[start + shift - 1]) start--;
  while (end < text.length && text[end] === folded[end + shift]) end++;
  // A credential without its last character counts as whole.
  const shows = end - start >= folded.length * 0.9;
  if (end - start < part || (!shows && isWord(form, start + shift, end + shift))) return null;
  if (text.startsWith(prefix, start - prefix.length)) start = Math.max(0, start - prefix.length);
  if (encoding.startsWith('base64')) {
    // The neighbouring letters may contain bits of the secret, too.
    if (BASE64_LETTER.test(text.charAt(start - 1))) start--;
    if (BASE64_LETTER.test(text.charAt(end))) end++;
  }
  return { secret, encoding, start, end, shows };
}

/**
 * Whether the words of the secret that a hit touches reveal nothing: they are ordinary, and beside them eight
 * characters or more of the secret are left, or the hit is a single one, such as `carrier_provider`.
 */
function isWord({ encoding, text }: Form, start: number, end: number): boolean {
  if (encoding !== 'raw') return false;
  const edgeOf = (at: number, step: -1 | 1): number => {
    let edge = at;
    while (/^[A-Za-z0-9]{2}$/.test(text.slice(Math.max(0, edge - 1), edge + 1))) edge += step;
    return edge;
  };
  const words = text.slice(edgeOf(start, -1), edgeOf(end, 1));
  const isOneWord = words.length === end - start && /^\W*[a-z_]+\W*$/i.test(words);
  return isOrdinary(words) && (isOneWord || text.length - words.length >= KEPT.unmistakable);
}

const ESCAPE_SIGNS = Object.entries({ 'percent-encoded': /%[0-9a-f]{2}/i, 'JSON-escaped': /\\/, 'HTML-escaped': /&/ });

function writtenEncoding({ secret, encoding }: Form, written: string): string {
  const isPlain = written.toLowerCase() === secret.value.toLowerCase();
  const escapes = isPlain ? [] : ESCAPE_SIGNS.filter(([, mark]) => mark.test(written)).map(([name]) => name);
  return [...escapes, ...(encoding === 'raw' ? [] : [encoding])].join(' ') || 'raw';
}

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
  /** Values of ordinary words, with the label of each. */
  readonly #ordinary = new Map<string, string>();

  constructor(secrets: readonly Secret[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Adds a secret to redact. */
  add(secret: Secret): void {
    const { value } = secret;
    const label = secret.label.replace(/[^\p{L}\p{N} -]/gu, '');
    if (secret.isOrdinary === true) {
      this.#ordinary.set(value, label);
      return;
    }
    if (value.length >= KEPT.unmistakable) this.#search.add({ ...secret, label });
    const part = value.slice(prefixOf(secret).length);
    for (const text of [value, value.slice(0, -1), part, part.slice(0, -1)]) {
      if (text !== '' && text.length < KEPT.unmistakable) this.#short.set(text, label);
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
  readonly redactSent = (text: string): string => withoutValues(this.redact(text).text, this.#ordinary);
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

/** Overlapping hits become one placeholder. JSON stays JSON: a number with a hit becomes one as a whole. */
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
  if (parsedJson(clean) !== undefined || parsedJson(text) === undefined) return clean;
  return `"${marks[0]}"`;
}

const isPlainer = (a: Hit, b: Hit): boolean => (a.shows === b.shows ? a.end - a.start > b.end - b.start : a.shows);
