/**
 * The oracle of the dial guard: lenient readers that share no code with the guard. Each reports which
 * values it would find for `to` and `from` in a body.
 */

import { lenientMembers } from './lenient-json.ts';

/** A value that some reader took for the called or the calling number. */
export interface Found {
  readonly reader: string;
  readonly role: 'to' | 'from';
  readonly value: unknown;
}

function roleOf(name: string): 'to' | 'from' | null {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\s\ufffd]/gu, '')
    .toLowerCase();
  return plain === 'to' || plain === 'from' ? plain : null;
}

type Pair = readonly [name: string, value: unknown];

function decoded(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Every member at any depth; a string that is JSON again is opened too. */
function membersOf(value: unknown): readonly Pair[] {
  if (typeof value === 'string') return /^\s*[[{"]/.test(value) ? membersOf(decoded(value)) : [];
  if (typeof value !== 'object' || value === null) return [];
  const own: readonly Pair[] = Array.isArray(value) ? [] : Object.entries(value);
  return [...own, ...Object.values(value).flatMap(membersOf)];
}

function strictJson(bytes: Buffer): readonly Pair[] {
  return membersOf(decoded(bytes.toString('utf8')));
}

/** Bytes after the value are not looked at; the longest readable beginning counts. */
function firstValueJson(bytes: Buffer): readonly Pair[] {
  const text = bytes.toString('utf8');
  for (let at = text.lastIndexOf('}'); at > 0; at = text.lastIndexOf('}', at - 1)) {
    const value = decoded(text.slice(0, at + 1));
    if (value !== undefined) return membersOf(value);
  }
  return [];
}

function lenient(decode: (bytes: Buffer) => string): (bytes: Buffer) => readonly Pair[] {
  return (bytes) => {
    const members = lenientMembers(decode(bytes));
    const inner = members.flatMap(([, value]) => (typeof value === 'string' ? lenientMembers(value) : []));
    return [...members, ...inner];
  };
}

function form(bytes: Buffer): readonly Pair[] {
  return bytes
    .toString('utf8')
    .split(/[&;]/)
    .flatMap((field) => [...new URLSearchParams(field)])
    .map(([name, value]) => [name.replace(/\[.*$/, ''), value]);
}

/** Looks for the name and takes what follows. */
function scavenger(bytes: Buffer): readonly Pair[] {
  const text = bytes.toString('utf8');
  const found = text.matchAll(/(?<![\w\\])["']?(to|from)["']?\s*(?::|=>?)\s*(?:\[\s*)?["']?([^"',{}\]&\s]+)/gi);
  return [...found].map(([, name, value]) => [name ?? '', value === 'true' || value === 'null' ? null : value]);
}

/** Comments taken out first, as some configuration readers do. */
function uncommented(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/(?:\/\/|#).*$/gm, '');
}

const swap = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();

/** An overlong form is what it stands for, and a leading byte takes as many bytes as it announces. */
function naiveUtf8(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    for (let next = 1; next <= more; next += 1) code = (code << 6) | ((bytes[at + next] ?? 0) & 0x3f);
    text += String.fromCodePoint(Math.min(code, 0x10ffff));
    at += more + 1;
  }
  return text;
}

const READERS: readonly (readonly [name: string, read: (bytes: Buffer) => readonly Pair[]])[] = [
  ['JSON', strictJson],
  ['first value', firstValueJson],
  ['lenient JSON', lenient((bytes) => bytes.toString('utf8'))],
  ['lenient JSON in Latin-1', lenient((bytes) => bytes.toString('latin1'))],
  ['lenient JSON without comments', lenient(uncommented)],
  ['lenient JSON, naive UTF-8', lenient(naiveUtf8)],
  ['lenient JSON up to a zero byte', lenient((bytes) => bytes.toString('utf8').replace(/\0.*$/s, ''))],
  ['lenient JSON, zero bytes dropped', lenient((bytes) => bytes.toString('utf8').replaceAll('\0', ''))],
  ['UTF-16', lenient((bytes) => bytes.toString('utf16le'))],
  ['UTF-16, big-endian', lenient((bytes) => swap(bytes).toString('utf16le'))],
  ['form', form],
  ['scavenger', scavenger],
];

/** What the readers find for `to` and `from`, duplicates at every place included. */
export function found(body: Uint8Array): readonly Found[] {
  const bytes = Buffer.from(body);
  return READERS.flatMap(([reader, read]) =>
    read(bytes).flatMap(([name, value]) => {
      const role = roleOf(name);
      return role === null ? [] : [{ reader, role, value }];
    }),
  );
}

/** Whether a value could be dialled and is not the configured number in a form that the model allows. */
export function isForeign(value: unknown, number: string): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return false;
  if (typeof value === 'string' && !/[\p{L}\p{N}]/u.test(value)) return false;
  if (Array.isArray(value)) return value.length > 1 || value.some((item) => item !== number);
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return String(value) !== number && String(value) !== number.slice(1);
}
