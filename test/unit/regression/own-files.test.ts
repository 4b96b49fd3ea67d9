/** A report folder is read as a whole, or rejected with one sentence that names the file and what to do. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRunFolder } from '../../../src/regression/own-files.ts';
import { countVerdicts } from '../../../src/verdict/evaluate.ts';
import type { Results, RunVerdict } from '../../../src/verdict/results.ts';
import { toldOf } from '../../../src/verdict/sentence.ts';
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

const told = (verdict: RunVerdict, results: Results): Results => ({
  ...results,
  ...toldOf(verdict, results.reason, results),
});

const NO_CASES = { requirements: [], intermittent: [], counts: { ...RESULTS.counts, cases: countVerdicts([]) } };

test.each([
  told('void', { ...RESULTS, ...NO_CASES }),
  told('non-conformant', { ...RESULTS, ...NO_CASES, intermittent: [{ symptom: 'listTrunks: 502', exchanges: [1] }] }),
])('a run that failed for another reason than a case is read: $verdict', (results) => {
  expect(readRunFolder(folderWith({ 'results.json': results }))).toEqual({ results });
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
    'a verdict that its cases contradict',
    { 'results.json': told('conformant', RESULTS) },
    /results\.json contradicts itself: its verdict is conformant, and \d+ cases? fails?; name/,
  ],
  [
    'a failure that no case shows',
    { 'results.json': told('breach', { ...RESULTS, ...NO_CASES }) },
    /its verdict is breach, and no case fails; /,
  ],
  [
    'a sentence for another verdict',
    { 'results.json': { ...RESULTS, sentence: 'CONFORMANT' } },
    /and its sentence "CONF/,
  ],
  [
    'counts of other cases',
    { 'results.json': { ...RESULTS, requirements: [] } },
    /its counts are not those of its cases; /,
  ],
  [
    'choices that are none',
    { 'results.json': RESULTS, 'choices.json': [{}] },
    /choices\.json is not a list of choices/,
  ],
  // No text, and nothing that could be made one.
  [
    'a format that is not text',
    { 'results.json': { format: { toString: 1 } } },
    /does not match the schema of results/,
  ],
  ['choices that are no JSON', { 'results.json': RESULTS, 'choices.json': '[' }, /choices\.json is not valid JSON/],
])('a folder with %s is rejected', (_, files, sentence) => {
  expect(() => readRunFolder(folderWith(files))).toThrow(sentence);
});
