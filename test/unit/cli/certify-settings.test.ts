/** What a certification does not accept. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { readEnvironment } from '../../../src/settings/environment.ts';
import { newKeys } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-certify-'));
const signing = join(folder, 'signing.pem');
writeFileSync(signing, newKeys().own.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
const NAMES = ['--implementation-name', 'Acme', '--implementation-version', '1', '--vendor', 'Acme'];

async function certify(flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { terminal, err } = stage();
  const given = { ...terminal, environment: () => ({ ...readEnvironment(folder), env }) };
  const code = await runCommandLine(['certify', '--reference', '--key', signing, ...NAMES, ...flags], given);
  return { code, err };
}

test('a certification with fewer calls than the default, or without writes, is wrong usage', async () => {
  const { code, err } = await certify(['--max-calls', '11']);
  expect([code, err]).toEqual([2, ['certify does not accept --max-calls (PCS_MAX_CALLS) below 40: omit it.']]);
  // A shorter wait was raised to the default without a word.
  const impatient = await certify(['--max-wait', '5']);
  expect(impatient.err).toEqual(['certify does not accept --max-wait (PCS_MAX_WAIT) below 300: omit it.']);
  expect((await certify([], { PCS_EXPLORE: '9' })).err).toEqual([
    'certify does not accept --explore and --path (PCS_EXPLORE, PCS_PATH): omit them.',
  ]);
  // A seed of .env was ignored without a word.
  const seeded = await certify([], { PCS_SEED: '7', PCS_MAX_CALLS: '11' });
  expect(seeded.err[0]).toBe('Warning: the nonce decides the seed of a certification, so PCS_SEED is not used');
  // A vendor who had asked for no writes got calls.
  const refused = await certify([], { PCS_PROFILE: 'read-only' });
  const why = 'certify does not accept --profile read-only (PCS_PROFILE), since it writes and places calls: omit it.';
  expect([refused.code, refused.err]).toEqual([2, [why]]);
});

test('a bundle is not written where the reports are: with their files no one could verify it', async () => {
  const bundle = join(folder, 'same');
  for (const report of [bundle, join(bundle, 'report')]) {
    const dirs = ['--bundle-dir', bundle, '--report-dir', report];
    const { code, err } = await certify(dirs);
    expect([code, err]).toEqual([
      2,
      [`--report-dir ${report} is in the folder of the bundle: choose another --bundle-dir.`],
    ]);
  }
});

test('a cap below what a certification sends is wrong usage before anything is sent', async () => {
  const bundle = ['--bundle-dir', join(folder, 'capped'), '--report-dir', join(folder, 'capped-report')];
  const { code, err } = await certify([...bundle, '--max-requests', '300']);
  expect([code, err.at(-1)]).toEqual([
    2,
    expect.stringMatching(/^--max-requests 300: this run sends \d+ requests; set it/),
  ]);
});
