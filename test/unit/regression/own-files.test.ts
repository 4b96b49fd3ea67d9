/** A report folder is read as a whole, or rejected with one sentence that names the file and what to do. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRunFolder } from '../../../src/regression/own-files.ts';
import { RESULTS } from '../report/made-run.ts';

const CHOICES = [{ gap: 'GAP-HEAD', operation: 'getTrunk', choice: '200' }];

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-own-files-'));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return folder;
}

test('results are read with the choices, without them, and by the name of their own file', () => {
  const folder = folderWith({ 'results.json': RESULTS, 'choices.json': CHOICES });
  expect(readRunFolder(folder)).toEqual({ results: RESULTS, choices: CHOICES });
  expect(readRunFolder(join(folder, 'results.json'))).toEqual({ results: RESULTS, choices: CHOICES });
  expect(readRunFolder(folderWith({ 'results.json': RESULTS }))).toEqual({ results: RESULTS });
});

const FINISHED = 'name the report folder of a finished run.';

test.each<readonly [string, Readonly<Record<string, unknown>>, RegExp]>([
  ['nothing', {}, new RegExp(`results\\.json .*: ${FINISHED}$`)],
  ['no JSON', { 'results.json': '{' }, /results\.json is not valid JSON/],
  [
    'other JSON',
    { 'results.json': { ...RESULTS, verdict: 'passed' } },
    /does not match the schema of results: \/verdict/,
  ],
  [
    'choices that are none',
    { 'results.json': RESULTS, 'choices.json': [{}] },
    /choices\.json is not a list of choices/,
  ],
  ['choices that are no JSON', { 'results.json': RESULTS, 'choices.json': '[' }, /choices\.json is not valid JSON/],
])('a folder with %s is rejected', (_, files, sentence) => {
  expect(() => readRunFolder(folderWith(files))).toThrow(sentence);
});
