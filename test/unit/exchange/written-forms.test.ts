import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Secret } from '../../../src/exchange/redaction.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { randomText, seeded } from './encodings.ts';

const PART = 'Zk3-vQ9_aTyB7wXeLm20';
const TOKEN = `pcs_live_org_${PART}`;
const INBOUND = 'n4Kf+82hd/Ls93js=Hw72kd';
const SECRETS: readonly Secret[] = [
  { kind: 'credential', label: 'credential', value: TOKEN },
  { kind: 'inbound-secret', label: 'inbound secret', value: INBOUND },
];

type Form = (text: string) => string;

const listed =
  (radix: number, digits: number, before: string, between: string): Form =>
  (text) =>
    [...Buffer.from(text)].map((byte) => before + byte.toString(radix).padStart(digits, '0')).join(between);
const joined =
  (between: string): Form =>
  (text) =>
    [...text].join(between);
const base64: Form = (text) => Buffer.from(text).toString('base64');
const hex: Form = (text) => Buffer.from(text).toString('hex');
const wide: Form = (text) => Buffer.from(text, 'utf16le').toString('base64');
const wideBig: Form = (text) => Buffer.from(text, 'utf16le').swap16().toString('base64');
const reversed: Form = (text) => [...text].reverse().join('');

function rot13(text: string): string {
  const [plain, turned] = ['abcdefghijklmnopqrstuvwxyz', 'nopqrstuvwxyzabcdefghijklm'];
  const [from, to] = [plain + plain.toUpperCase(), turned + turned.toUpperCase()];
  return [...text].map((letter) => (from.includes(letter) ? to.charAt(from.indexOf(letter)) : letter)).join('');
}

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2));
  return letters.map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(letter)).join('');
}

/** Each way to write a secret so that a reader gets it back. */
const FORMS: Readonly<Record<string, Form>> = {
  '\\x escapes': listed(16, 2, '\\x', ''),
  'octal escapes': listed(8, 3, '\\', ''),
  'braced escapes': (text) => [...text].map((one) => `\\u{${one.charCodeAt(0).toString(16)}}`).join(''),
  'quoted-printable throughout': listed(16, 2, '=', ''),
  'quoted-printable with soft breaks': (text) => text.replaceAll('=', '=3D').replace(/.{7}/g, '$&=\r\n'),
  'hex with colons': listed(16, 2, '', ':'),
  'hex with blanks': listed(16, 2, '', ' '),
  'hex with dashes': (text) => listed(16, 2, '', '-')(text).toUpperCase(),
  'hex with 0x': listed(16, 2, '0x', ','),
  'hex with 0x and blanks': listed(16, 2, '0x', ', '),
  'code points': listed(16, 4, 'U+', ' '),
  'decimal with commas': listed(10, 1, '', ','),
  'decimal with commas and blanks': listed(10, 1, '', ', '),
  'decimal with blanks': listed(10, 1, '', ' '),
  'octal with blanks': listed(8, 3, '', ' '),
  binary: listed(2, 8, '', ' '),
  base32,
  'base32 in small letters': (text) => base32(text).toLowerCase(),
  'base32 behind another letter': (text) => base32(`:${text}`),
  'base64 in lines': (text) => base64(text).replace(/.{9}/g, '$&\r\n'),
  'base64 with blanks': (text) => base64(`ab${text}`).replace(/.{4}/g, '$& '),
  'base64 of hex': (text) => base64(hex(text)),
  'base64 of upper hex': (text) => base64(hex(text).toUpperCase()),
  'hex of base64': (text) => hex(base64(text)),
  'base64 of percent': (text) => base64(listed(16, 2, '%', '')(text)),
  'base64 of a URL part': (text) => base64(encodeURIComponent(text)),
  'base64 of UTF-16': wide,
  'base64 of UTF-16, the big end first': wideBig,
  'UTF-16 hex': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'UTF-16 hex, the big end first': (text) => Buffer.from(text, 'utf16le').swap16().toString('hex'),
  'letters with blanks': joined(' '),
  'letters with dashes': joined('-'),
  'letters with dots': joined('.'),
  'letters with zero width': joined('\u200b'),
  'letters with NUL': joined('\0'),
  reversed,
  'base64 of reversed': (text) => base64(reversed(text)),
  'reversed base64': (text) => reversed(base64(text)),
  rot13,
  fullwidth: (text) => [...text].map((one) => String.fromCharCode((one.codePointAt(0) ?? 0) + 0xfee0)).join(''),
};

/** What gives the secret to nobody by itself, but has no place in a record. */
const QUIET: Readonly<Record<string, Form>> = Object.fromEntries(
  ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
    (['hex', 'base64', 'base64url'] as const).map((form): [string, Form] => [
      `${name} ${form}`,
      (text) => createHash(name).update(text).digest(form),
    ]),
  ),
);

const redactor = new Redactor(SECRETS);
/** Left are marks before the first letter, what of base64 is another's, and what fills up. */
const WHOLE = /^(?:[\\=%0xuU+{]*|YW)⟦[^⟧]*⟧[=}\s]*$/;

describe.each([
  ['a credential', TOKEN, 'credential'],
  ['the secret part of a credential', PART, 'credential'],
  ['an inbound secret', INBOUND, 'inbound-secret'],
])('%s', (_, secret, kind) => {
  test.each(Object.entries(FORMS))('written as %s is taken out of texts, fields and JSON', (_name, form) => {
    const written = form(secret);
    const bare = redactor.redact(written);
    expect(bare.text).toMatch(WHOLE);
    expect(new Set(bare.leaks.map((leak) => leak.secret))).toEqual(new Set([kind]));
    expect(redactor.redact(`id 17: ${written}; no more`).text).toMatch(/^id 17: [^⟦]{0,4}⟦[^⟧]*⟧[=}\s]*; no more$/);
    const json = redactor.redact(JSON.stringify({ message: `was ${written} .`, code: 'echo' })).text;
    expect(JSON.parse(json)).toEqual({
      message: expect.stringMatching(/^was [^⟦]{0,4}⟦[^⟧]*⟧[=}\s]* \.$/),
      code: 'echo',
    });
  });
});

describe('what shows nobody the secret is taken out and is no leak', () => {
  test.each(Object.entries(QUIET))('%s of a secret, and of the field that it came in', (_, form) => {
    for (const text of [TOKEN, PART, `Bearer ${TOKEN}`, INBOUND]) {
      const { text: clean, leaks } = redactor.redact(`{"digest":"${form(text)}"}`);
      expect(clean).toMatch(/^\{"digest":"⟦[^⟧]*⟧=*"\}$/);
      expect(leaks).toEqual([]);
    }
  });

  test('a half of a credential, with as much more as stands beside it', () => {
    const left = (text: string): string => redactor.redact(`<${text}>`).text;
    for (const piece of [PART.slice(0, 10), PART.slice(10), PART.slice(0, 14), PART.slice(6), TOKEN.slice(0, 24)]) {
      expect(left(piece)).toBe('<⟦credential, in part⟧>');
    }
    expect(redactor.redact(PART.slice(0, 10)).leaks).toEqual([]);
    expect(redactor.redact(`${PART.slice(0, 10)} ${TOKEN}`).leaks).toEqual([{ secret: 'credential', encoding: 'raw' }]);
  });

  test('a half of a short credential, and of an inbound secret, is left alone', () => {
    const short = new Redactor([{ kind: 'credential', label: 'credential', value: 'pcs_org_main-trunk-0001' }]);
    expect(short.redact('main-trunk').text).toBe('main-trunk');
    expect(redactor.redact(INBOUND.slice(0, 12)).text).toBe(INBOUND.slice(0, 12));
  });
});

describe('JSON stays JSON', () => {
  test('where a list of numbers or of letters is cut out', () => {
    const codes = [...Buffer.from(TOKEN)];
    const cut = (value: unknown, space?: number): unknown =>
      JSON.parse(redactor.redact(JSON.stringify(value, null, space)).text);
    for (const space of [0, 2]) {
      expect(cut({ codes, n: 1 }, space)).toEqual({ codes: ['⟦credential, decimal⟧'], n: 1 });
      expect(cut({ codes: [10, ...codes, 13] }, space)).toEqual({ codes: [10, '⟦credential, decimal⟧', 13] });
      expect(cut({ letters: [...TOKEN], n: 1 }, space)).toEqual({ letters: ['⟦credential, spaced⟧'], n: 1 });
    }
  });

  test('where nothing can be cut out of it, only the placeholder is left', () => {
    const codes = [...Buffer.from(TOKEN)];
    const text = JSON.stringify([codes.slice(0, 15), [codes.slice(15)]]);
    expect(redactor.redact(text).text).toBe('"⟦credential, decimal⟧"');
  });
});

describe('texts that look alike are left alone', () => {
  const random = seeded(23);
  const other = randomText(random, 33, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

  test.each([...Object.entries(FORMS), ...Object.entries(QUIET)])('%s of another text', (_, form) => {
    const text = JSON.stringify({ message: `was ${form(other)}`, prefix: form('pcs_live_org_') });
    expect(redactor.redact(text)).toEqual({ text, leaks: [] });
  });

  test('words of a short secret that stand apart', () => {
    const wordy = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: 'main-trunk' }]);
    for (const text of ['The main trunk', 'main.trunk', 'm a i n t r u n k', 'knurt niam']) {
      expect(wordy.redact(text)).toEqual({ text, leaks: [] });
    }
  });

  test('a name and its value are not read as one', () => {
    const named = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: 'direction-inbound' }]);
    const text = '{"direction":"inbound"}';
    expect(named.redact(text)).toEqual({ text, leaks: [] });
  });

  test('random lists of numbers, hex and letters', () => {
    for (let round = 0; round < 500; round++) {
      const alphabet = ['0123456789, ', '0123456789abcdef:', 'abc def-ghi.', '01 ', 'ABCDEFGH234567'][round % 5] ?? '';
      const text = randomText(random, 400, alphabet);
      expect(redactor.redact(text)).toEqual({ text, leaks: [] });
    }
  });
});
