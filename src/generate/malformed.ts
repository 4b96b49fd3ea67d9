/** Bodies that are no JSON, or JSON on which readers differ: edits of a valid text outside its protected members. */

import { type WrittenMember, written, writtenMembers } from './members.ts';

/** How a text is malformed. */
export type MalformationKind =
  | 'no-body'
  | 'empty'
  | 'white-space'
  | 'cut-short'
  | 'trailing-comma'
  | 'missing-brace'
  | 'single-quotes'
  | 'unquoted-name'
  | 'comment'
  | 'nan'
  | 'bytes-after'
  | 'byte-order-mark'
  | 'invalid-utf-8'
  | 'duplicate-member'
  | 'deep-nesting'
  | 'huge-number';

/** One malformed body; `bytes` is `null` for no body at all. */
export interface Malformation {
  readonly kind: MalformationKind;
  /** What is wrong, for people: `the text ends early`. */
  readonly label: string;
  /** `invalid` where RFC 8259 allows no such text; `leniency` where a lawful target may read it all the same. */
  readonly syntax: 'invalid' | 'leniency';
  readonly bytes: Uint8Array | null;
}

/** An object's text in two parts: the protected members, which every edit leaves alone, and the others. */
interface Layout {
  readonly kept: readonly WrittenMember[];
  readonly free: readonly WrittenMember[];
}

type Edit = readonly [MalformationKind, Malformation['syntax'], string, (layout: Layout) => Uint8Array | string | null];

const NOTE: WrittenMember = { name: 'note', writtenName: '"note"', writtenValue: '"plain"' };
const NESTING = 400;

const EDITS: readonly Edit[] = [
  ['no-body', 'invalid', 'there is no body', () => null],
  ['empty', 'invalid', 'the body is empty', () => ''],
  ['white-space', 'invalid', 'the body is white space only', () => ' \r\n\t '],
  ['cut-short', 'invalid', 'the text ends early', cutShort],
  ['trailing-comma', 'invalid', 'a comma follows the last member', (layout) => `{${inner(layout)},}`],
  ['missing-brace', 'invalid', 'the closing brace is missing', (layout) => `{${inner(layout)}`],
  ['single-quotes', 'invalid', 'a name stands in single quotes', (layout) => renamed(layout, (name) => `'${name}'`)],
  ['unquoted-name', 'invalid', 'a name has no quotes', (layout) => renamed(layout, (name) => name)],
  ['comment', 'invalid', 'there is a comment', (layout) => `{${inner(layout)}/* note */}`],
  ['nan', 'invalid', 'a number is NaN', (layout) => withNote(layout, 'NaN')],
  ['bytes-after', 'leniency', 'bytes follow the value', (layout) => `{${inner(layout)}} plain`],
  ['byte-order-mark', 'leniency', 'a byte order mark stands first', (layout) => `\uFEFF{${inner(layout)}}`],
  ['invalid-utf-8', 'leniency', 'a string is not valid UTF-8', invalidUtf8],
  ['duplicate-member', 'leniency', 'a member is there twice', twice],
  ['deep-nesting', 'leniency', `arrays are nested ${NESTING} deep`, (layout) => withNote(layout, nested(NESTING))],
  ['huge-number', 'leniency', 'a number is 1e400', (layout) => withNote(layout, '1e400')],
];

/**
 * All malformations of a valid object's text. The members named in `protect` come first in each, with their text as
 * given and once only; the rest follows in its order, and what an edit needs and does not find is added as the
 * undeclared member `note`.
 */
export function malformations(validText: string, protect: readonly string[]): readonly Malformation[] {
  const members = writtenMembers(validText);
  const layout: Layout = {
    kept: members.filter(({ name }) => protect.includes(name)),
    free: members.filter(({ name }) => !protect.includes(name)),
  };
  return EDITS.map(([kind, syntax, label, edit]) => ({ kind, label, syntax, bytes: bytesOf(edit(layout)) }));
}

function bytesOf(body: Uint8Array | string | null): Uint8Array | null {
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
}

function inner({ kept, free }: Layout): string {
  return [...kept, ...free].map(written).join(',');
}

/** The layout with at least one free member. */
function spared(layout: Layout): Layout & { readonly first: WrittenMember; readonly rest: readonly WrittenMember[] } {
  const [first = NOTE, ...rest] = layout.free;
  return { kept: layout.kept, free: [first, ...rest], first, rest };
}

/** Ends within the free members, half-way, so that no protected text is touched. */
function cutShort(layout: Layout): string {
  const whole = `{${inner(spared(layout))}}`;
  const kept = `{${inner({ kept: layout.kept, free: [] })}`;
  const half = kept.length + Math.ceil((whole.length - kept.length) / 2);
  // A cut inside a surrogate pair would be mended to U+FFFD by the encoder: keep the pair whole.
  const end = /[\uD800-\uDBFF]/.test(whole[half - 1] ?? '') ? half - 1 : half;
  return whole.slice(0, end);
}

function renamed(layout: Layout, quote: (name: string) => string): string {
  const index = layout.free.findIndex(({ name }) => /^[A-Za-z_]\w*$/.test(name));
  const free = index < 0 ? [...layout.free, NOTE] : layout.free;
  const target = free[index < 0 ? free.length - 1 : index];
  return `{${inner({
    kept: layout.kept,
    free: free.map((member) => (member === target ? { ...member, writtenName: quote(member.name) } : member)),
  })}}`;
}

function withNote({ kept, free }: Layout, writtenValue: string): string {
  return `{${inner({ kept, free: [...free, { ...NOTE, writtenValue }] })}}`;
}

function twice(layout: Layout): string {
  const { kept, free, first } = spared(layout);
  return `{${inner({ kept, free: [...free, first] })}}`;
}

/** Puts two bytes that are no UTF-8 at the end of a free string, which comes last, or else of the note. */
function invalidUtf8({ kept, free }: Layout): Uint8Array {
  const holder = free.findLast(({ writtenValue }) => STRING_END.test(writtenValue)) ?? NOTE;
  const whole = `{${inner({ kept, free: [...free.filter((member) => member !== holder), holder] })}}`;
  const at = whole.search(STRING_END);
  return Buffer.concat([Buffer.from(whole.slice(0, at)), Buffer.of(0xc3, 0x28), Buffer.from(whole.slice(at))]);
}

/** The closing quote of a string behind which nothing but closing brackets stands. */
const STRING_END = /"(?=[\]}]*$)/;

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
