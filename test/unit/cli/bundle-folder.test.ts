/** A bundle replaces an earlier unsigned one and no other file in its folder. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeBundle } from '../../../src/certificate/bundle.ts';
import { BUNDLE_FILES } from '../../../src/certificate/bundle-files.ts';
import { demandBundleFolder, writeBundle } from '../../../src/cli/bundle-folder.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { certification, newKeys } from '../certificate/certified.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'bundle-')), 'new', 'folder');
});

test('is made if it is missing, and left empty', () => {
  demandBundleFolder(folder);
  expect(readdirSync(folder)).toEqual([]);
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

test('may hold every file of a bundle and no other', async () => {
  const { files } = makeBundle(await certification(), newKeys().own);
  expect(BUNDLE_FILES.toSorted()).toEqual([...files.keys()].sort());
});

test('keeps files that were added in the meantime', () => {
  demandBundleFolder(folder);
  mkdirSync(join(folder, 'src'));
  writeBundle(folder, new Map([['manifest.json', 'new']]));
  expect(readdirSync(folder)).toEqual(['manifest.json', 'src']);
});

test('is rejected if it cannot be written', () => {
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'a file');
  expect(() => demandBundleFolder(folder)).toThrow('cannot be written: choose another --bundle-dir.');
});
