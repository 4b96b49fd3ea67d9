/** Folders are made where they can be, and where they cannot the reason comes at once. */

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { isInFolder, makeFolder, readTextFile, streamText } from '../../../src/run/disk.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'folder-'));

test('with all that is missing above it, and a second time', () => {
  const folder = join(ROOT, 'a', 'b', 'c');
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test.each([
  ['in the place of a file', join(ROOT, 'file'), 'EEXIST'],
  ['below a file', join(ROOT, 'file', 'a', 'b'), 'ENOTDIR'],
])('not %s', (_, folder, code) => {
  writeFileSync(join(ROOT, 'file'), '');
  expect(() => makeFolder(folder)).toThrow(expect.objectContaining({ code }));
});

test.runIf(existsSync('/proc/self'))('not where a file system has no room for folders', () => {
  expect(() => makeFolder('/proc/reports/of/a/run')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test.each([
  ['reports', 'reports', true],
  ['reports', 'reports/evidence.har', true],
  ['reports', 'reports/..har', true],
  ['reports', 'reports-of-May', false],
  ['reports', '.', false],
])('in %s lies %s: %s', (folder, path, isThere) => {
  expect(isInFolder(folder, path)).toBe(isThere);
});

const folder = mkdtempSync(join(tmpdir(), 'pcs-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TEXT = '{"name":"größe 📞"}\n';
const LOW_BYTE_FIRST = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const ENCODED = [
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 behind its mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16, low byte first', LOW_BYTE_FIRST],
  ['UTF-16, high byte first', Buffer.from(LOW_BYTE_FIRST).swap16()],
] as const;

describe('a text', () => {
  test.each(ENCODED)('is read from a file: %s', (_, bytes) => {
    const path = join(folder, 'text.json');
    writeFileSync(path, bytes);
    expect(readTextFile(path)).toBe(TEXT);
  });

  test.each(ENCODED)('is read from a stream, wherever its chunks end: %s', async (_, bytes) => {
    async function* chunks() {
      yield bytes.subarray(0, 11);
      for (const byte of bytes.subarray(11)) yield Buffer.from([byte]);
    }
    let text = '';
    for await (const chunk of streamText(chunks())) text += chunk;
    expect(text).toBe(TEXT);
  });

  test('that ends within a character says so at its end, and one without any has none', async () => {
    async function* chunk() {
      yield Buffer.from('gr\u00f6').subarray(0, 3);
    }
    let text = '';
    for await (const part of streamText(chunk())) text += part;
    expect(text).toBe('gr\ufffd');
    const nothing: string[] = [];
    for await (const part of streamText(Readable.from([]))) nothing.push(part);
    expect(nothing).toEqual(['']);
  });

  test.each<readonly [string, Buffer]>([
    ['UTF-16 without its mark', Buffer.from(TEXT, 'utf16le')],
    ...['größe', 'þa', 'aÿ', 'ÿa', 'aþ'].map((text) => [`Latin-1, ${text}`, Buffer.from(text, 'latin1')] as const),
    ['half a UTF-16 unit', LOW_BYTE_FIRST.subarray(0, 9)],
  ])('is an error in no encoding that shows: %s', (_, bytes) => {
    const path = join(folder, 'other.json');
    writeFileSync(path, bytes);
    expect(() => readTextFile(path, '--expect other.json')).toThrow(
      '--expect other.json is not a text in UTF-8: save it as UTF-8.',
    );
  });
});
