/** The forms in which a secret can stand in a text, as search words for text that is already in lower case. */

/** A value that no artefact may hold. `label` names it in placeholders: `inbound secret`. */
export interface Secret {
  readonly kind: 'credential' | 'inbound-secret' | 'gateway-header';
  readonly label: string;
  readonly value: string;
}

/** One search word: where `core` is found, `head` before it and `tail` after it belong to the find if they are there. */
export interface SearchWord {
  readonly core: string;
  readonly head: string;
  readonly tail: string;
  /** How the secret is written there: `raw`, `base64`, `hex`. */
  readonly encoding: string;
  /** How many base64 letters before and after the core also hold bits of the secret. */
  readonly edges: readonly [before: number, after: number];
  /** `false`: a digest or a piece, which is taken out but shows nobody the secret. */
  readonly shows: boolean;
}

/** A shorter value is too likely to stand in a text by chance: it is replaced only where it is a whole value. */
export const SEARCHABLE_LENGTH = 8;

/** Half of a shorter credential is too likely to stand in a text by chance. */
const LEAST_WITH_HALVES = 16;

/** What of base64 at each alignment depends on earlier bytes, in letters. */
const BASE64_LEAD = [0, 2, 3] as const;

interface Part {
  readonly head: string;
  readonly core: string;
  readonly tail: string;
}

/** Lower case without a change of length: U+0130 alone would become two units, and offsets would no longer fit. */
export function foldCase(text: string): string {
  return text.replace(/\u0130/g, 'i').toLowerCase();
}

/** The secret part of a credential stands behind the first `org_` (section 5); without one all of it is secret. */
export function partsOf(secret: Secret): readonly Part[] {
  const { kind, value } = secret;
  if (kind !== 'credential') return [{ head: '', core: value, tail: '' }];
  const prefix = /^.*?org_(?=.)/s.exec(value)?.[0] ?? '';
  const letters = [...value.slice(prefix.length)];
  const last = letters.at(-1) ?? '';
  const stem = letters.slice(0, -1).join('');
  return [
    { head: prefix, core: stem, tail: last },
    { head: prefix, core: stem + last, tail: '' },
    { head: '', core: prefix + stem, tail: last },
    { head: '', core: prefix + stem + last, tail: '' },
  ];
}

/** A part that holds another part as a whole is found with it. */
function searchedParts(secret: Secret): readonly Part[] {
  const long = partsOf(secret).filter(({ core }) => core.length >= SEARCHABLE_LENGTH);
  return long.filter((part, at) => !long.some((other, i) => i < at && part.core.includes(other.core)));
}

function literal(part: Part, encoding: string, form: (text: string) => string): SearchWord {
  const word = (text: string): string => foldCase(form(text));
  return { core: word(part.core), head: word(part.head), tail: word(part.tail), encoding, edges: [0, 0], shows: true };
}

/** Inside a longer run the bytes before and after share letters with the secret; a core is what never varies. */
export function base64Cores(data: string | Uint8Array, encoding: 'base64' | 'base64url'): readonly string[] {
  const bytes = Buffer.from(data);
  return BASE64_LEAD.map((lead, shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString(encoding);
    return whole.slice(lead, Math.floor(((shift + bytes.length) * 8) / 6));
  });
}

function base64Words(part: Part, encoding: 'base64' | 'base64url'): readonly SearchWord[] {
  const once = base64Cores(part.core, encoding);
  const twice = once.flatMap((core) => base64Cores(core, encoding));
  const word = (core: string, edges: SearchWord['edges']): SearchWord => {
    return { core: foldCase(core), head: '', tail: '', encoding, edges, shows: true };
  };
  // Two letters hold a last byte and what was left over of the one before; encoded again, four do.
  return [...once.map((core) => word(core, [1, 2])), ...twice.map((core) => word(core, [3, 4]))];
}

/** The leading and the trailing half of a credential's secret part, and as much more of it as stands beside them. */
function halves(secret: Secret): readonly SearchWord[] {
  const { head, core, tail } = partsOf(secret)[1] ?? { head: '', core: '', tail: '' };
  if (secret.kind !== 'credential' || core.length < LEAST_WITH_HALVES) return [];
  const middle = core.length >> 1;
  const parts = [
    { head, core: core.slice(0, middle), tail: core.slice(middle) + tail },
    { head: head + core.slice(0, -middle), core: core.slice(-middle), tail },
  ];
  return parts.map((part) => ({ ...literal(part, 'in part', (text) => text), shows: false }));
}

/** Every search word of a secret; `settle` decodes a text until nothing is left to decode. */
export function searchWords(secret: Secret, settle: (text: string) => string): readonly SearchWord[] {
  const words = searchedParts(secret).flatMap((part) => [
    literal(part, 'raw', (text) => text),
    literal(part, 'raw', settle),
    // A decoder of percent escapes yields bytes, so a letter past ASCII shows up as its UTF-8 bytes.
    literal(part, 'raw', (text) => Buffer.from(text, 'utf8').toString('latin1')),
    literal(part, 'raw', (text) => text.replaceAll(' ', '+')),
    ...base64Words(part, 'base64'),
    ...base64Words(part, 'base64url'),
    literal(part, 'hex', (text) => Buffer.from(text, 'utf8').toString('hex')),
  ]);
  words.push(...halves(secret));
  const searchable = words.filter(({ core }) => core.length >= SEARCHABLE_LENGTH);
  return searchable.filter((word, at) => searchable.findIndex(({ core }) => core === word.core) === at);
}

/** The values of a secret that are too short to be searched for, and are replaced only where they are a whole value. */
export function wholeValues(secret: Secret): readonly string[] {
  const values = partsOf(secret).map(({ core }) => core);
  return [...new Set(values)].filter((value) => value !== '' && value.length < SEARCHABLE_LENGTH);
}
