/**
 * Values at the edge of what implementations handle (conformance model, section 2): the same for every string of a body
 * at once, so that a few requests try them everywhere. Bodies are bytes, since some of these values are not valid Unicode.
 * The reasons are in docs/design/exploration.md.
 */

import type { JsonSchema } from '../contract/schemas.ts';
import { type JsonObject, nested, textWith } from './json.ts';
import { type ByPointer, type GenerateOptions, isExcluded, isFixed } from './options.ts';
import { type Member, membersOf } from './schema.ts';

/** One value, in some members of a body or in a new one. */
export interface Edge {
  /** `strings of 300 characters`. */
  readonly label: string;
  /** The members that take it; empty where the value stands in a member of its own. */
  readonly pointers: readonly string[];
  /** The body with the value at some of the pointers. */
  readonly bytesOf: (base: JsonObject, pointers: readonly string[]) => Uint8Array;
  /** What the value is made of, each on its own. */
  readonly parts: readonly Edge[];
  /** Labels of the values that a member takes; none where the value is one of the whole body. */
  readonly valuesAt: (pointer: string) => readonly string[];
  readonly theme: 'text' | 'encoding' | 'type' | 'nesting';
}

/** What the caller decides beyond valid bodies. */
export interface EdgeOptions extends GenerateOptions {
  /** Text to put before a string, such as what makes a secret hard to guess. */
  readonly before?: ByPointer<string>;
  /** Text to put before a string that is not empty, such as the host that a URL has to name. */
  readonly beforeText?: ByPointer<string>;
}

/** Multi-byte letters from the third byte on: of four bytes each, a cut at 25, 32, 64, 128 or 255 bytes splits one. */
const letters = (script: string, count: number): string => `xx${script.repeat(count)}`;

/** JSON texts of strings without their quotes; `�` stands for a byte that is not UTF-8. */
const EMPTY = { 'empty strings': '' } as const;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** JSON text of a string without its quotes, or one for each member. */
type Text = string | ((pointer: string) => string);

const textAt = (text: Text, pointer: string): string => (typeof text === 'string' ? text : text(pointer));

/**
 * Letters and digits in no order that a compression could use, always the same for a member. Each member has others: a
 * secret that is also a user name would look like a leak where the user name is shown.
 */
function scattered(pointer: string, length: number): string {
  let state = [...pointer].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 2_147_483_647, 1);
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return ALPHABET[state % ALPHABET.length];
  }).join('');
}

/** Each member has each length in turn, next to members of other lengths: a body with one that is too long stays short. */
const LENGTHS = {
  'strings of 129 characters': 'x'.repeat(129),
  'strings of 300 three-byte letters': letters('東', 298),
  // An index compresses what repeats: only what does not is too long for it.
  'strings of 5,000 characters': (pointer: string) => scattered(pointer, 5000),
} as const;

/** The value that shows whether a read encodes what was written. */
export const NOT_ASCII = 'non-ASCII strings';

/** Sent together first: a target that accepts them all has been asked each of them. The letters come first, whole. */
const CHARACTERS = {
  // Fewer than 255 characters, and more than 255 bytes.
  'strings with astral characters': letters('😀', 70),
  'strings with quotes': `it's \\"quoted\\" \\\\ ; -- %s ([*`,
  [NOT_ASCII]: 'Grüße aus 東京',
  'strings with U+0000': 'a\\u0000b',
  'strings with an unpaired surrogate': 'a\\ud800b',
} as const;

const ENCODING = { 'strings that are not UTF-8': 'a�b' } as const;

/** JSON texts of the other types, each in the place of every member; null has a requirement of its own. */
const TYPES = ['true', '7', '[]', '{}'] as const;

const NEW_MEMBER = {
  'arrays 400 deep in a further member': nested(400),
  'arrays 2,000 deep in a further member': nested(2000),
} as const;
const FURTHER = 'pcs_conformance_note';

/** Integers at the limits of what implementations store, in the notation in which they are sent. */
export const EDGE_INTEGERS = [
  ...['0', '-1', '2147483647', '2147483648', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '1e400', '1.0'],
] as const;

const [NON_ASCII, ASTRAL] = [CHARACTERS[NOT_ASCII], CHARACTERS['strings with astral characters']];
const ESCAPES = '"quoted" \\ / \b\f\n\r\t \u2028';

/** Maps of strings that are valid, but many, long, of unusual names and values, or with U+0000. */
export const EDGE_MAPS = {
  many: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key${at + 1}`, `value ${at + 1}`])),
  long: { key: 'x'.repeat(5000), ['n'.repeat(129)]: 'plain' },
  characters: Object.fromEntries([
    ['', NON_ASCII],
    ['__proto__', ASTRAL],
    ['constructor', ESCAPES],
    ['größe', NON_ASCII],
    ['😀', ASTRAL],
    ['a"b\\c', ESCAPES],
    // Document stores give `$` and `.` a meaning.
    ['$a.b', NON_ASCII],
  ]),
  'null-character': { key: 'a\u0000b' },
  surrogate: { key: 'a\ud800b' },
} as const satisfies Readonly<Record<string, JsonObject>>;

const encoder = new TextEncoder();

/** The bytes of a text; `�` becomes a byte that is not UTF-8. */
function bytesOf(text: string): Uint8Array {
  const parts = text.split('�').map((part) => encoder.encode(part));
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Uint8Array.of(0xff), part])));
}

/** The bytes of a body with further members, given as JSON texts; `�` becomes a byte that is not UTF-8. */
export const bytesWith = (body: JsonObject, texts: Readonly<Record<string, string>>): Uint8Array =>
  bytesOf(textWith(body, texts));

/** The scheme of a URL has no letter case (RFC 3986, section 3.1). */
const inCapitals = (url: string): string => url.replace(/^[a-z]+:/, (scheme) => scheme.toUpperCase());

/** A lawful reader may take it for an empty object, so no status is expected. */
const NULL_BODY: Edge = {
  label: 'the body is null',
  theme: 'type',
  pointers: [],
  parts: [],
  valuesAt: () => [],
  bytesOf: () => bytesOf('null'),
};

/** Every edge of a body; `strings` leaves out values of other types, where those have requirements of their own. */
export function edgesOf(schema: JsonSchema, options: EdgeOptions = {}, strings = false): readonly Edge[] {
  const members = membersOf(schema).filter(({ pointer }) => !isExcluded(pointer, options));
  const inPlaces = (
    theme: Edge['theme'],
    label: string,
    literalOf: (pointer: string) => string,
    own: readonly Member[],
    valuesAt: Edge['valuesAt'] = () => [],
  ): Edge => ({
    label,
    theme,
    parts: [],
    valuesAt,
    pointers: own.map(({ pointer }) => pointer),
    bytesOf: (base, pointers) => {
      const chosen = own.filter(({ pointer }) => pointers.includes(pointer));
      return bytesWith(base, Object.fromEntries(chosen.map(({ name, pointer }) => [name, literalOf(pointer)])));
    },
  });
  const texts = members.filter(
    ({ shape, pointer }) => ['string', 'uuid'].includes(shape.kind) && !isFixed(pointer, options),
  );
  const { before = {}, beforeText = {} } = options;
  const quoted = (pointer: string, text: Text): string =>
    `"${before[pointer] ?? (text === '' ? '' : (beforeText[pointer] ?? ''))}${textAt(text, pointer)}"`;
  const ofTexts = (theme: Edge['theme'], values: Readonly<Record<string, Text>>): readonly Edge[] =>
    Object.entries(values).map(([label, text]) => {
      const labels = theme === 'text' ? [label] : [];
      return inPlaces(
        theme,
        label,
        (pointer) => quoted(pointer, text),
        texts,
        () => labels,
      );
    });
  /** Each member has the values of these labels, one after the other. */
  const made = (
    label: string,
    values: typeof LENGTHS | typeof CHARACTERS,
    labelsAt: (at: number) => readonly string[],
  ) => {
    const labelsOf = (pointer: string) => labelsAt(texts.findIndex((one) => one.pointer === pointer));
    const textOf = (pointer: string): string =>
      labelsOf(pointer)
        .map((one) => textAt(Reflect.get(values, one), pointer))
        .join(' ');
    const edge = inPlaces('text', label, (pointer) => quoted(pointer, textOf(pointer)), texts, labelsOf);
    return { ...edge, parts: ofTexts('text', values) };
  };
  const [deep, deeper] = Object.entries(NEW_MEMBER).map(([label, text]): Edge => {
    const bytesWithin = (base: JsonObject): Uint8Array => bytesWith(base, { [FURTHER]: text });
    return {
      label,
      theme: 'nesting',
      pointers: [`/${FURTHER}`],
      parts: [],
      valuesAt: () => [label],
      bytesOf: bytesWithin,
    };
  });
  const urls = (): readonly Edge[] => {
    const own = texts.filter(({ pointer }) => pointer in beforeText);
    const label = 'a URL with its scheme in capital letters';
    const literalOf = (pointer: string): string => JSON.stringify(inCapitals(beforeText[pointer] ?? ''));
    return own.length === 0 ? [] : [inPlaces('text', label, literalOf, own, () => [label])];
  };
  const lengths = Object.keys(LENGTHS);
  const unusual = made('strings of unusual characters', CHARACTERS, () => Object.keys(CHARACTERS));
  return [
    ...ofTexts('text', EMPTY),
    // The only member of an assignment is an id, which takes none of them: it gets each by itself.
    ...(strings ? ofTexts('text', { ...CHARACTERS, ...Object.fromEntries(Object.entries(LENGTHS).slice(-1)) }) : []),
    ...(strings ? [] : lengths).map((_, turn) =>
      made(`long strings, turn ${turn + 1}`, LENGTHS, (at) => lengths.slice((at + turn) % lengths.length).slice(0, 1)),
    ),
    ...urls(),
    ...ofTexts('encoding', ENCODING),
    ...(strings ? [] : TYPES).map((text) => inPlaces('type', `members that are ${text}`, () => text, members)),
    ...(strings ? [] : [NULL_BODY]),
    ...(strings || deep === undefined ? [] : [beside(unusual, deep)]),
    ...[deep, deeper].flatMap((edge) => (edge === undefined || (edge === deep && !strings) ? [] : [edge])),
  ];
}

/** An edge with another one, of a member that no body has, in the same body. */
function beside(edge: Edge, other: Edge): Edge {
  const isOther = (pointer: string): boolean => other.pointers.includes(pointer);
  return {
    ...edge,
    pointers: [...edge.pointers, ...other.pointers],
    parts: [...edge.parts, other],
    valuesAt: (pointer) => (isOther(pointer) ? other : edge).valuesAt(pointer),
    bytesOf: (base, pointers) => {
      const bytes = edge.bytesOf(base, pointers);
      return pointers.some(isOther) ? other.bytesOf(JSON.parse(Buffer.from(bytes).toString()), pointers) : bytes;
    },
  };
}
