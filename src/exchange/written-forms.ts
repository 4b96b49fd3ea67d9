/** Further forms of a secret, searched for by their letters and digits alone: broken up, recoded, turned around. */

import { createHash } from 'node:crypto';
import { lettersOf } from './letters.ts';
import type { SearchWord, Secret } from './secret-forms.ts';
import { base64Cores, partsOf, SEARCHABLE_LENGTH } from './secret-forms.ts';

/** Fewer letters and digits stand in a text by chance too easily once everything between them is skipped. */
const LEAST_LETTERS = 12;

type Written = readonly [encoding: string, text: string];

const utf8 = (text: string): readonly number[] => [...Buffer.from(text, 'utf8')];
const turned = (text: string): string => [...text].reverse().join('');
const littleEndian = (text: string): Buffer => Buffer.from(text, 'utf16le');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

function percent(text: string): string {
  return utf8(text)
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

/** A text as a list of numbers, each with what stands before it that is a letter itself: `0x70,0x63`, `\x70\x63`. */
function numbers(text: string): readonly Written[] {
  const list = (radix: number, digits: number, mark = ''): string =>
    utf8(text)
      .map((byte) => mark + byte.toString(radix).padStart(digits, '0'))
      .join('');
  const hex = ['', '0x', 'x', 'u', 'u00'].map((mark): Written => ['separated hex', list(16, 2, mark)]);
  const decimal = [1, 3].map((digits): Written => ['decimal', list(10, digits)]);
  const octal = [list(8, 1), list(8, 3), list(8, 3, '0o')].map((written): Written => ['octal', written]);
  return [...hex, ...decimal, ...octal, ['binary', list(2, 8)]];
}

/** What no letters of base32 share with the bytes before and after, at each of the five alignments. */
function base32Cores(text: string): readonly string[] {
  const bits = utf8(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  return [0, 1, 2, 3, 4].map((skipped) =>
    (bits.slice(skipped).match(/.{5}/g) ?? [])
      .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(Number.parseInt(five, 2)))
      .join(''),
  );
}

/** Base64 of another form of the text; letters alone are compared, so that base64url is the same. */
function base64Of(text: string): readonly Written[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  const once = base64Cores(text, 'base64');
  const recoded: readonly Written[] = [
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ['percent-encoded text', percent(text)],
    ['percent-encoded text', percent(text).toUpperCase()],
    ['percent-encoded text', encodeURIComponent(Buffer.from(text, 'utf8').toString())],
    ['reversed text', turned(text)],
  ];
  const wide = [littleEndian(text), bigEndian(text)].flatMap((bytes) => base64Cores(bytes, 'base64'));
  return [
    ...once.map((core): Written => ['broken base64', core]),
    ...once.flatMap((core) => base64Cores(core, 'base64')).map((core): Written => ['broken base64 twice', core]),
    ...recoded.flatMap(([of, form]) => base64Cores(form, 'base64').map((core): Written => [`base64 of ${of}`, core])),
    ...wide.map((core): Written => ['base64 of UTF-16', core]),
  ];
}

function hexOfBase64(text: string): readonly Written[] {
  const cores = (['base64', 'base64url'] as const).flatMap((alphabet) => base64Cores(text, alphabet));
  return cores.map((core): Written => ['hex of base64', Buffer.from(core).toString('hex')]);
}

/** A soft line break is nothing but a line break here, so that only the escaped letters of it remain. */
function quotedPrintable(text: string): string {
  return [...text].map((letter) => (/[\x21-\x3c\x3e-\x7e ]/.test(letter) ? letter : percent(letter))).join('');
}

function writtenForms(text: string): readonly Written[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  return [
    ['spaced', text],
    ['quoted-printable', quotedPrintable(text)],
    ['reversed', turned(text)],
    ['rot13', rot13(text)],
    ...numbers(text),
    ['UTF-16 hex', littleEndian(text).toString('hex')],
    ['UTF-16 hex', bigEndian(text).toString('hex')],
    ['hex of hex', Buffer.from(hex).toString('hex')],
    ...base32Cores(text).map((core): Written => ['base32', core]),
    ...base64Of(text),
    ...base64Cores(text, 'base64').map((core): Written => ['reversed base64', turned(core)]),
    ...hexOfBase64(text),
  ];
}

/** What a service may have computed a digest of: the value, its secret part, the field that it came in. */
function digests(secret: Secret): readonly Written[] {
  const { kind, value } = secret;
  const part = value.replace(/^.*?org_(?=.)/s, '');
  const texts = kind === 'credential' ? new Set([value, part, `Bearer ${value}`]) : [value];
  return [...texts].flatMap((text) =>
    ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name): Written[] => {
      const bytes = createHash(name).update(text, 'utf8').digest();
      return (['hex', 'base64'] as const).map((form) => [`${name} ${form}`, bytes.toString(form)]);
    }),
  );
}

/** Letters before and after that hold bits of the secret too; encoded twice, as in `base64Words`, there are more. */
function edgesOf(encoding: string): SearchWord['edges'] {
  if (encoding === 'broken base64') return [1, 2];
  return /base(64|32)/.test(encoding) ? [3, 4] : [0, 0];
}

/** The further search words of a secret; what is found by one is whatever stands between its first and last letter. */
export function writtenWords(secret: Secret): readonly SearchWord[] {
  const texts = partsOf(secret).map(({ core }) => core);
  const long = texts.filter((text) => text.length >= SEARCHABLE_LENGTH);
  const forms = long.flatMap((text) => writtenForms(text).map((form) => [...form, true] as const));
  const shown = long.length === 0 ? [] : digests(secret).map((form) => [...form, false] as const);
  const words = [...forms, ...shown].map(([encoding, text, shows]): SearchWord => {
    return { core: lettersOf(text), head: '', tail: '', encoding, edges: edgesOf(encoding), shows };
  });
  return words.filter(({ core }) => core.length >= LEAST_LETTERS);
}
