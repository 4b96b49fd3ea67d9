/** Bundles that were made to be expensive are rejected by a count, before they are. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyBundle } from '../../../src/certificate/verify.ts';
import { openBundle } from '../../../src/cli/bundle-folder.ts';
import { sampled } from '../../sampled.ts';
import { narrowBundle, newKeys, VERSION, verified } from './certified.ts';
import { oversized } from './oversized.ts';
import { rejectionOf, signedAgain } from './tampering.ts';

const keys = newKeys();
const bundle = await narrowBundle(keys.own);
const cases = oversized(bundle.files);

test('the bundle itself is verified, and signed again, too', async () => {
  await verified(signedAgain(bundle.files, {}, keys.own), keys.known);
});

const names = sampled(Object.keys(cases), 3);

test.each(names.items)(`too many %s (${names.words})`, async (name) => {
  const [texts, phrase] = cases[name] ?? [{}, /./];
  expect(await rejectionOf(signedAgain(bundle.files, texts, keys.own), keys.known)).toMatch(phrase);
});

test('of a folder, no more entries are listed than a hundred', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'pcs-conformance-entries-')), 'bundle');
  mkdirSync(folder);
  for (let at = 0; at < 200; at += 1) writeFileSync(join(folder, `file-${at}`), '');
  const entries = openBundle(folder);
  expect(entries.size).toBeLessThan(2);
  await expect(verifyBundle(entries, { signer: keys.known }, VERSION)).rejects.toThrow('more than 100 entries');
});
