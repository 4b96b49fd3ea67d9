/** Bodies that are not JSON, or JSON on which readers differ: edits of a valid body outside its protected members. */

import { isJsonObject, type JsonValue, nested } from './json.ts';

/** One malformed body; `bytes` is `null` for no body at all. */
export interface Malformation {
  readonly kind: MalformationKind;
  /** The malformation in words: `the text ends early`. */
  readonly label: string;
  /** `invalid` if RFC 8259 allows no such text; `tolerated` if a lawful target may read it nevertheless. */
  readonly syntax: 'invalid' | 'tolerated';
  readonly bytes: Uint8Array | null;
}

/** A member as it is written. */
interface Written {
  readonly name: string;
  readonly quoted: string;
  readonly value: string;
}

/** The members of an object: the protected ones, which every edit leaves alone, and the others. */
interface Layout {
  readonly kept: readonly Written[];
  readonly free: readonly Written[];
}

type Edit = readonly [string, Malformation['syntax'], string, (layout: Layout) => Uint8Array | string | null];

const NOTE: Written = { name: 'note', quoted: '"note"', value: '"plain"' };
const NESTING = 400;

// Labels are ids of variations.
const EDITS = [
  ['no-body', 'invalid', 'there is no body', () => null],
  ['empty', 'invalid', 'the body is empty', () => ''],
  ['white-space', 'invalid', 'the body is white space only', () => ' \r\n\t '],
  ['cut-short', 'invalid', 'the text ends early', cutShort],
  ['trailing-comma', 'invalid', 'a comma follows the last member', (layout) => `{${inner(layout)},}`],
  ['missing-brace', 'invalid', 'the closing brace is missing', (layout) => `{${inner(layout)}`],
  ['single-quotes', 'invalid', 'a name stands in single quotes', (layout) => requoted(layout, (name) => `'${name}'`)],
  ['unquoted-name', 'invalid', 'a name has no quotes', (layout) => requoted(layout, (name) => name)],
  ['comment', 'invalid', 'there is a comment', (layout) => `{${inner(layout)}/* note */}`],
  ['nan', 'invalid', 'a number is NaN', (layout) => withNote(layout, 'NaN')],
  ['bytes-after', 'tolerated', 'bytes follow the value', (layout) => `{${inner(layout)}} plain`],
  ['byte-order-mark', 'tolerated', 'a byte order mark stands first', (layout) => `\uFEFF{${inner(layout)}}`],
  ['invalid-utf-8', 'tolerated', 'a string is not valid UTF-8', invalidUtf8],
  ['duplicate-member', 'tolerated', 'a member is there twice', memberTwice],
  ['deep-nesting', 'tolerated', `arrays are nested ${NESTING} deep`, (layout) => withNote(layout, nested(NESTING))],
  ['huge-number', 'tolerated', 'a number is 1e400', (layout) => withNote(layout, '1e400')],
] as const satisfies readonly Edit[];

/** Malformations that parsers read differently: the guard of create calls rejects them, so others get them. */
const AMBIGUOUS = [
  ['unknown-escape', 'invalid', 'a string has an escape of its own', (layout) => withNote(layout, '"a\\qb"')],
  [
    'raw-control',
    'invalid',
    'a string has a tab and a line end as they are',
    (layout) => withNote(layout, '"a\tb\nc"'),
  ],
  ['leading-zero', 'invalid', 'a number has a leading zero', (layout) => withNote(layout, '007')],
] as const satisfies readonly Edit[];

/** How a text is malformed. */
export type MalformationKind = (typeof EDITS | typeof AMBIGUOUS)[number][0];

/**
 * All malformations of the text of a valid object. In each, the members named in `protect` come first, once and
 * unchanged, then the others in order. An edit that lacks a member adds the undeclared member `note`.
 */
export function malformations(validText: string, protect: readonly string[]): readonly Malformation[] {
  return edited(EDITS, validText, protect);
}

/** Malformations that no create call may have. */
export const ambiguities = (validText: string): readonly Malformation[] => edited(AMBIGUOUS, validText, []);

function edited(
  edits: typeof EDITS | typeof AMBIGUOUS,
  validText: string,
  protect: readonly string[],
): readonly Malformation[] {
  const object: JsonValue = JSON.parse(validText);
  if (!isJsonObject(object)) throw new RangeError('the text is not a JSON object');
  const members = Object.entries(object).map(
    ([name, value]): Written => ({ name, quoted: JSON.stringify(name), value: JSON.stringify(value) }),
  );
  const layout: Layout = {
    kept: members.filter(({ name }) => protect.includes(name)),
    free: members.filter(({ name }) => !protect.includes(name)),
  };
  return edits.map(([kind, syntax, label, edit]) => {
    const body = edit(layout);
    return { kind, label, syntax, bytes: typeof body === 'string' ? Buffer.from(body, 'utf8') : body };
  });
}

function inner({ kept, free }: Layout): string {
  return [...kept, ...free].map(({ quoted, value }) => `${quoted}:${value}`).join(',');
}

/** The free members, at least one. */
function spared({ free }: Layout): readonly [Written, ...Written[]] {
  const [first = NOTE, ...rest] = free;
  return [first, ...rest];
}

/** Ends half-way through the free members, so that no protected text is touched. */
function cutShort({ kept, free }: Layout): string {
  const whole = `{${inner({ kept, free: spared({ kept, free }) })}}`;
  const start = `{${inner({ kept, free: [] })}`.length;
  const half = start + Math.ceil((whole.length - start) / 2);
  // The encoder would replace half of a surrogate pair with U+FFFD: keep the pair whole.
  return whole.slice(0, /[\uD800-\uDBFF]/.test(whole[half - 1] ?? '') ? half - 1 : half);
}

function requoted({ kept, free }: Layout, quote: (name: string) => string): string {
  const target = free.find(({ name }) => /^[A-Za-z_]\w*$/.test(name)) ?? NOTE;
  const members = free.includes(target) ? free : [...free, target];
  const renamed = members.map((member) => (member === target ? { ...member, quoted: quote(member.name) } : member));
  return `{${inner({ kept, free: renamed })}}`;
}

function withNote({ kept, free }: Layout, value: string): string {
  return `{${inner({ kept, free: [...free, { ...NOTE, value }] })}}`;
}

function memberTwice(layout: Layout): string {
  const free = spared(layout);
  return `{${inner({ kept: layout.kept, free: [...free, free[0]] })}}`;
}

/** Puts two bytes that are not UTF-8 at the end of a free string, which comes last, or else of the note. */
function invalidUtf8({ kept, free }: Layout): Uint8Array {
  const holder = free.findLast(({ value }) => STRING_END.test(value)) ?? NOTE;
  const whole = `{${inner({ kept, free: [...free.filter((member) => member !== holder), holder] })}}`;
  const at = whole.search(STRING_END);
  return Buffer.concat([Buffer.from(whole.slice(0, at)), Buffer.of(0xc3, 0x28), Buffer.from(whole.slice(at))]);
}

/** The closing quote of a string that only closing brackets follow. */
const STRING_END = /"(?=[\]}]*$)/;
