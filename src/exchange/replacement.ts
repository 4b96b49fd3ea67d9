/** Puts placeholders where secrets were found; JSON stays JSON, since an error's envelope is judged from its record. */

import { isJsonText } from './deep-json.ts';
import { stringRanges } from './json-strings.ts';
import type { Secret } from './secret-forms.ts';

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

/** Where a secret stands in a text, and how; `shows` is `false` for what is taken out but gives nothing away. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly kind: Secret['kind'];
  readonly label: string;
  readonly encoding: string;
  readonly shows: boolean;
}

/** A stretch of the text that is replaced as one. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly named: Hit;
  readonly leak: Hit | null;
}

/** What stands in a text where a secret was; it needs no escape in JSON, HTML or a shell's single quotes. */
export function placeholder(label: string, encoding: string): string {
  return encoding === 'raw' ? `⟦${label}⟧` : `⟦${label}, ${encoding}⟧`;
}

interface Ranked {
  readonly hit: Hit;
  readonly rank: number;
}

const plainer = (a: Ranked | null, b: Ranked | null): Ranked | null =>
  a === null || b === null ? (a ?? b) : a.rank < b.rank ? a : b;

/** Hits that touch the same text are one cut; the plainest reading, which comes first, names it. */
function cutsOf(hits: readonly Hit[]): readonly Cut[] {
  const groups: { start: number; end: number; named: Ranked; leak: Ranked | null }[] = [];
  const ranked = hits.map((hit, rank): Ranked => ({ hit, rank })).sort((a, b) => a.hit.start - b.hit.start);
  for (const one of ranked) {
    const { start, end, shows } = one.hit;
    const last = groups.at(-1);
    if (last === undefined || start >= last.end) {
      groups.push({ start, end, named: one, leak: shows ? one : null });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (one.rank < last.named.rank) last.named = one;
    if (shows) last.leak = plainer(one, last.leak);
  }
  return groups.map(({ start, end, named, leak }) => ({ start, end, named: named.hit, leak: leak?.hit ?? null }));
}

function replaced(text: string, cuts: readonly Cut[], written: (cut: Cut) => string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const cut of cuts) {
    pieces.push(text.slice(copied, cut.start), written(cut));
    copied = cut.end;
  }
  return pieces.join('') + text.slice(copied);
}

const inWords = ({ named }: Cut): string => placeholder(named.label, named.encoding);

/** The cuts that do not lie within one string of JSON: over numbers between strings, or across the end of a string. */
function strays(text: string, cuts: readonly Cut[]): ReadonlyMap<Cut, 'numbers' | 'across'> {
  const found = new Map<Cut, 'numbers' | 'across'>();
  const ranges = stringRanges(text);
  let range = ranges.next();
  for (const cut of cuts) {
    while (range.done !== true && range.value[1] < cut.start) range = ranges.next();
    const [open, close] = range.done === true ? [text.length, text.length] : range.value;
    if (open < cut.start && cut.end <= close) continue;
    found.set(cut, open >= cut.end ? 'numbers' : 'across');
  }
  return found;
}

/** A list of numbers is cut out with the whole of its first and last number. */
function wholeNumbers(text: string, cut: Cut): Cut {
  let { start, end } = cut;
  while (/[\w.+-]/.test(text.charAt(start - 1))) start--;
  while (/[\w.+-]/.test(text.charAt(end))) end++;
  return { ...cut, start, end };
}

/** Cuts that reach out of a string of JSON: a placeholder instead of numbers is a string, or else it is all there is. */
function cutJson(text: string, cuts: readonly Cut[]): string {
  const astray = strays(text, cuts);
  if (astray.size === 0 || !isJsonText(text)) return replaced(text, cuts, inWords);
  const numbers = new Set<Cut>();
  const wider = cuts.map((cut) => {
    if (astray.get(cut) !== 'numbers') return cut;
    const whole = wholeNumbers(text, cut);
    numbers.add(whole);
    return whole;
  });
  const clean = replaced(text, wider, (cut) => (numbers.has(cut) ? `"${inWords(cut)}"` : inWords(cut)));
  const [first] = cuts;
  return isJsonText(clean) || first === undefined ? clean : `"${inWords(first)}"`;
}

/** The text with a placeholder for each hit. */
export function withoutHits(text: string, hits: readonly Hit[]): Redaction {
  const cuts = cutsOf(hits);
  const leaks = new Map<string, SeenSecret>();
  for (const { leak } of cuts) {
    if (leak !== null) leaks.set(`${leak.kind} ${leak.encoding}`, { secret: leak.kind, encoding: leak.encoding });
  }
  const json = /^\s*[[{"\d-]/.test(text);
  return { text: json ? cutJson(text, cuts) : replaced(text, cuts, inWords), leaks: [...leaks.values()] };
}
