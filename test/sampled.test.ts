/** A sample is fixed, spread and never silent, and the long project has every file that makes one. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sampled } from './sampled.ts';

const ITEMS = [1, 2, 3, 4, 5, 6, 7, 11, 12];

test('one item in three is taken, the first of each kind among them, and the words say so', () => {
  const { items, words } = sampled(ITEMS, 3, (item) => item > 10);
  expect([items, words]).toEqual([[1, 4, 7, 11], '4 of 9 here, all in npm run test:long']);
  expect(sampled([1], 3)).toEqual({ items: [1], words: 'all 1' });
});

test('every file that makes a sample is in a folder of the long project', () => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const [, folders = ''] =
    /include: \['test\/\{(long[^}]*)\}/.exec(readFileSync(join(root, '../vitest.config.ts'), 'utf8')) ?? [];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.*\.ts$/.test(file));
  const sampling = files.filter((file) => /from '[./]*\/sampled\.ts'/.test(readFileSync(join(root, file), 'utf8')));
  expect(sampling.length).toBeGreaterThan(20);
  expect(sampling.filter((file) => !folders.split(',').includes(file.split('/')[0] ?? ''))).toEqual([]);
});
