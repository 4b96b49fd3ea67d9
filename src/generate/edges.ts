/**
 * Values at the limits of what implementations handle (conformance model, section 2): the same for every string of a
 * body at once, so that a few requests try them everywhere. Bodies are bytes, since some of these values are not valid
 * Unicode. The reasons are in docs/design/exploration.md.
 */

import type { JsonSchema } from '../contract/schemas.ts';
import { type JsonObject, nested, textWith } from './json.ts';
import { type ByPointer, type GenerateOptions, isExcluded } from './options.ts';
import { membersOf } from './schema.ts';

/** One value, in some members of a body or in a new one. */
export interface Edge {
  /** `strings of 300 characters`. */
  readonly label: string;
  /** Its JSON text in each member that takes it, by pointer; `�` is replaced by a byte that is not UTF-8. */
  readonly texts: ByPointer<string>;
  /** It replaces the whole body. */
  readonly isBody?: true;
  /** Labels of the values that each member takes; empty if the value replaces the whole body. */
  readonly values: ByPointer<readonly string[]>;
  /** The parts of the value, each alone. */
  readonly parts: readonly Edge[];
  readonly theme: 'text' | 'encoding' | 'type' | 'nesting';
}

/** What the caller decides beyond valid bodies. */
export interface EdgeOptions extends GenerateOptions {
  /** Prefix of a string, such as one that makes a secret hard to guess. */
  readonly before?: ByPointer<string>;
  /** Prefix of a non-empty string, such as the host of a URL. */
  readonly beforeText?: ByPointer<string>;
}

/** Multi-byte letters from the third byte on: of four bytes each, a cut at 25, 32, 64, 128 or 255 bytes splits one. */
const letters = (script: string, count: number): string => `xx${script.repeat(count)}`;

/** JSON texts of strings without their quotes; `�` is replaced by a byte that is not UTF-8. */
const EMPTY_TEXTS = { 'empty strings': '' } as const;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** JSON text of a string without its quotes, or one for each member. */
type EdgeText = string | ((pointer: string) => string);

const textAt = (text: EdgeText, pointer: string): string => (typeof text === 'string' ? text : text(pointer));

/** A cache: making them anew took a third of the time of each plan. */
const SCATTERED = new Map<string, string>();

/**
 * 5,000 letters and digits that do not compress, always the same for a member. Members differ: a
 * secret that is also a user name would look like a leak where the user name is shown.
 */
function scattered(pointer: string): string {
  const known = SCATTERED.get(pointer);
  if (known !== undefined) return known;
  let state = [...pointer].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 2_147_483_647, 1);
  const letters = Array.from({ length: 5000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return ALPHABET[state % ALPHABET.length];
  });
  const text = letters.join('');
  SCATTERED.set(pointer, text);
  return text;
}

/** Each member gets each length in turn, next to members of other lengths, so that the body stays short. */
const LENGTHS = {
  'strings of 129 characters': 'x'.repeat(129),
  'strings of 300 three-byte letters': letters('東', 298),
  // An index compresses repetitions: only an incompressible value is too long for it.
  'strings of 5,000 characters': scattered,
} as const;

/** The value that shows whether a read encodes what was written. */
export const NOT_ASCII = 'non-ASCII strings';
const DELIMITED = 'strings with a comma, braces, ${, < and &';
const OF_LINES = 'strings with a tab and a line end';

/** Characters that dial strings, command lines and XML interpret: a switch took a comma in a name for the next leg. */
const DELIMITERS = `a,b {c} $\{d} <e> & f`;
const LINES = 'a\tb\r\nc';

/** Sent together first: a target that accepts the group accepts each. The letters come first, complete. */
const CHARACTERS = {
  // Fewer than 255 characters, and more than 255 bytes.
  'strings with astral characters': letters('😀', 70),
  'strings with quotes': `it's \\"quoted\\" \\\\ ; -- %s ([*`,
  [NOT_ASCII]: 'Grüße aus 東京',
  [DELIMITED]: DELIMITERS,
  [OF_LINES]: JSON.stringify(LINES).slice(1, -1),
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
const FURTHER = '/pcs_conformance_note';

/** Integers at the limits of what implementations store, in the notation in which they are sent. */
export const EDGE_INTEGERS = [
  ...['0', '-1', '2147483647', '2147483648', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '1e400', '1.0'],
] as const;

const [NON_ASCII, ASTRAL] = [CHARACTERS[NOT_ASCII], CHARACTERS['strings with astral characters']];
const ESCAPES = '"quoted" \\ / \b\f\n\r\t \u2028';

/** Valid maps of strings: large, long, with unusual names and values, with U+0000 or an unpaired surrogate. */
export const EDGE_MAPS = {
  many: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key${at + 1}`, `value ${at + 1}`])),
  long: { key: 'x'.repeat(5000), ['n'.repeat(129)]: 'plain' },
  characters: Object.fromEntries([
    ['', NON_ASCII],
    ['__proto__', ASTRAL],
    // PHP turns it into a number.
    ['7', 'plain'],
    ['constructor', ESCAPES],
    ['größe', NON_ASCII],
    ['😀', ASTRAL],
    ['a"b\\c', ESCAPES],
    // Document stores give `$` and `.` a meaning.
    ['$a.b', NON_ASCII],
    [DELIMITERS, 'plain'],
    [LINES, 'plain'],
  ]),
  delimiters: { key: `it's ${DELIMITERS}` },
  'null-character': { key: 'a\u0000b' },
  surrogate: { key: 'a\ud800b' },
  // Django checks the values of a map and not its names. PHP has no property whose name begins so, and reads null.
  'null-name': { '\u0000key': 'plain' },
  'surrogate-name': { 'key\ud800': 'plain' },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The bytes of a text; `�` becomes a byte that is not UTF-8. */
function bytesOf(text: string): Uint8Array {
  const parts = text.split('�').map((part) => new TextEncoder().encode(part));
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Uint8Array.of(0xff), part])));
}

/** The bytes of a body with further members, given as JSON texts; `�` becomes a byte that is not UTF-8. */
export const bytesWith = (body: JsonObject, texts: Readonly<Record<string, string>>): Uint8Array =>
  bytesOf(textWith(body, texts));

/** The scheme of a URL has no letter case (RFC 3986, section 3.1). */
const inCapitals = (url: string): string => url.replace(/^[a-z]+:/, (scheme) => scheme.toUpperCase());

/** The pointers of the members that take the value. */
export const pointersOf = ({ texts }: Edge): readonly string[] => Object.keys(texts);

/** The body with the value in the members at these pointers. */
export function bytesAt({ texts, isBody }: Edge, base: JsonObject, pointers: readonly string[]): Uint8Array {
  if (isBody) return bytesOf('null');
  const chosen = pointers.flatMap((pointer) => (pointer in texts ? [[pointer.slice(1), texts[pointer] ?? '']] : []));
  return bytesWith(base, Object.fromEntries(chosen));
}

/** A lawful reader may take it for an empty object, so no status is expected. */
const NULL_BODY: Edge = { label: 'the body is null', theme: 'type', isBody: true, texts: {}, values: {}, parts: [] };

const byPointer = <T>(pointers: readonly string[], of: (pointer: string) => T): ByPointer<T> =>
  Object.fromEntries(pointers.map((pointer) => [pointer, of(pointer)]));

/** An array in a member that no body has. */
const further = (label: keyof typeof NEW_MEMBER): Edge => {
  const [texts, values] = [{ [FURTHER]: NEW_MEMBER[label] }, { [FURTHER]: [label] }];
  return { label, theme: 'nesting', texts, values, parts: [] };
};
const [DEEP, DEEPER] = [
  further('arrays 400 deep in a further member'),
  further('arrays 2,000 deep in a further member'),
];

/** Every edge of a body; `strings` leaves out values of other types, where those have requirements of their own. */
export function edgesOf(schema: JsonSchema, options: EdgeOptions = {}, strings = false): readonly Edge[] {
  const { before = {}, beforeText = {} } = options;
  const members = membersOf(schema).filter(({ pointer }) => !isExcluded(pointer, options));
  const places = members.map(({ pointer }) => pointer);
  const strung = members.flatMap(({ shape, pointer }) =>
    ['string', 'uuid'].includes(shape.kind) && options.fixed?.[pointer] === undefined ? [pointer] : [],
  );
  const quoted = (pointer: string, text: EdgeText): string =>
    `"${before[pointer] ?? (text === '' ? '' : (beforeText[pointer] ?? ''))}${textAt(text, pointer)}"`;
  const ofTexts = (theme: Edge['theme'], given: Readonly<Record<string, EdgeText>>): readonly Edge[] =>
    Object.entries(given).map(([label, text]) => {
      const values = byPointer(strung, () => (theme === 'text' ? [label] : []));
      return { label, theme, texts: byPointer(strung, (pointer) => quoted(pointer, text)), values, parts: [] };
    });
  /** Each member has the values of these labels, one after the other. */
  const made = (
    label: string,
    given: Readonly<Record<string, EdgeText>>,
    labelsAt: (at: number) => readonly string[],
  ) => {
    const values = byPointer(strung, (pointer) => labelsAt(strung.indexOf(pointer)));
    const textOf = (pointer: string): string =>
      (values[pointer] ?? []).map((name) => textAt(given[name] ?? '', pointer)).join(' ');
    const texts = byPointer(strung, (pointer) => quoted(pointer, textOf(pointer)));
    return { label, theme: 'text', texts, values, parts: ofTexts('text', given) } as const;
  };
  const urls = strung.filter((pointer) => pointer in beforeText);
  const inCapital = 'a URL with its scheme in capital letters';
  const ofUrls: Edge = {
    label: inCapital,
    theme: 'text',
    texts: byPointer(urls, (pointer) => JSON.stringify(inCapitals(beforeText[pointer] ?? ''))),
    values: byPointer(urls, () => [inCapital]),
    parts: [],
  };
  const common = [...(urls.length === 0 ? [] : [ofUrls]), ...ofTexts('encoding', ENCODING)];
  // An assignment's only member is an id, for which all of these are invalid: each is sent alone, '' as a broken body.
  if (strings) {
    const long = Object.fromEntries(Object.entries(LENGTHS).slice(-1));
    const { [DELIMITED]: _, [OF_LINES]: __, ...characters } = CHARACTERS;
    return [...ofTexts('text', { ...characters, ...long }), ...common, DEEP, DEEPER];
  }
  const lengths = Object.keys(LENGTHS);
  const unusual = made('strings of unusual characters', CHARACTERS, () => Object.keys(CHARACTERS));
  const withDeep: Edge = {
    ...unusual,
    texts: { ...unusual.texts, ...DEEP.texts },
    values: { ...unusual.values, ...DEEP.values },
    parts: [...unusual.parts, DEEP],
  };
  return [
    ...ofTexts('text', EMPTY_TEXTS),
    ...lengths.map((_, turn) =>
      made(`long strings, turn ${turn + 1}`, LENGTHS, (at) => lengths.slice((at + turn) % lengths.length).slice(0, 1)),
    ),
    ...common,
    ...TYPES.map((text): Edge => {
      return {
        label: `members that are ${text}`,
        theme: 'type',
        texts: byPointer(places, () => text),
        values: {},
        parts: [],
      };
    }),
    NULL_BODY,
    withDeep,
    DEEPER,
  ];
}
