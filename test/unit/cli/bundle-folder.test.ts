/** A bundle replaces an earlier unsigned one and no other file in its folder. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { demandBundleFolder, writeBundle } from '../../../src/cli/bundle-folder.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'new', 'folder');
});

test('may hold an unsigned bundle, which stays until there is another', () => {
  demandBundleFolder(folder);
  writeBundle(
    folder,
    new Map([
      ['manifest.json', 'old'],
      ['badge.json', 'old'],
    ]),
  );
  demandBundleFolder(folder);
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe('old');
  writeBundle(folder, new Map([['manifest.json', 'new']]));
  expect(readdirSync(folder)).toEqual(['manifest.json']);
  expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe('new');
});

test('is rejected if it holds a signed bundle, which stays', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), 'old');
  writeFileSync(join(folder, 'attestation.json'), 'signed');
  expect(() => demandBundleFolder(folder)).toThrow(
    new UsageError(`${folder} holds a signed bundle`, 'move it away or choose another --bundle-dir'),
  );
  expect(readdirSync(folder)).toEqual(['attestation.json', 'manifest.json']);
});

test('is rejected if it holds other files', () => {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), 'of a web page');
  expect(() => demandBundleFolder(folder)).toThrow(
    new UsageError(`${folder} holds src, which does not belong to a bundle`, 'choose another --bundle-dir'),
  );
});

test('is rejected if it cannot be written', () => {
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'a file');
  expect(() => demandBundleFolder(folder)).toThrow('cannot be written: choose another --bundle-dir.');
});
