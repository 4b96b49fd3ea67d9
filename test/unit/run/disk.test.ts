/** Folders are made where they can be, and where they cannot the reason comes at once. */

import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInFolder, makeFolder } from '../../../src/run/disk.ts';

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
