/** A wrong samples file is rejected before anything is sent. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplesOf } from '../../../src/cli/run-options.ts';
import type { Settings } from '../../../src/settings/settings.ts';

const file = join(mkdtempSync(join(tmpdir(), 'samples-')), 'bodies.json');
const settings = { samples: file, call: { from: '+15550100', to: '+15550101' } } as Settings;

function read(text: string) {
  writeFileSync(file, text);
  return samplesOf(settings);
}

test.each([
  ['{', `--samples ${file} is not a JSON object: write one body for each operation.`],
  ['[]', `--samples ${file} is not a JSON object: write one body for each operation.`],
  ['{"updateTrunk":5}', `--samples ${file} gives updateTrunk 5: write a JSON object as its body.`],
  [
    '{"createCall":{"from":"+15550100","to":"911"}}',
    `--samples ${file} gives createCall "911" for to: write PCS_CALL_TO (+15550101) there.`,
  ],
  [
    '{"createCall":{"from":"+1911"}}',
    `--samples ${file} gives createCall "+1911" for from: write PCS_CALL_FROM (+15550100) there.`,
  ],
])('%s is rejected', (text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

test('bodies that call no other number are used unchanged', () => {
  const samples = { createCall: { from: '+15550100', to: '+15550101', codecs: ['PCMU'] }, updateTrunk: { name: 'a' } };
  expect(read(JSON.stringify(samples))).toEqual(samples);
});
