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

// A full disk, or a removed folder, had been an error of the suite, exit 4; half a signature would have stayed.
test('that cannot be written holds nothing afterwards', () => {
  demandBundleFolder(folder);
  const files = new Map([
    ['attestation.json', 'half'],
    ['gone/results.json', ''],
  ]);
  expect(writeBundle(folder, files)).toBe('the folder or the file was removed');
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(join(folder, 'attestation.json'), 'signed meanwhile');
  expect(writeBundle(folder, new Map([['attestation.json', 'new']]))).toMatch(/^another certification/);
  expect(readFileSync(join(folder, 'attestation.json'), 'utf8')).toBe('signed meanwhile');
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
