/** The key that signs a certificate and the key of a client certificate are two. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import { readEnvironment } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { newKeys } from '../certificate/certified.ts';
import { stage } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-certify-'));
const [cert, key, other] = ['cert.pem', 'key.pem', 'other.pem'].map((name) => {
  writeFileSync(join(folder, name), name);
  return join(folder, name);
}) as [string, string, string];
const settingsOf = (flags: Readonly<Record<string, string | true>>, env: Readonly<Record<string, string>> = {}) =>
  readSettings({ reference: true, ...flags }, { ...readEnvironment(folder), env });

async function typed(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { terminal, out, err } = stage();
  const given = { ...terminal, environment: () => ({ ...readEnvironment(folder), env }) };
  const code = await runCommandLine(words, given);
  return { code, out, err };
}

const certify = (...flags: readonly string[]) => typed(['certify', ...flags]);

test('a certification signs with --key and presents the key of --client-key to the target', () => {
  expect(settingsOf({})).not.toHaveProperty('key');
  expect(settingsOf({ cert, 'client-key': key })).toMatchObject({ cert, key });
});

test('the key of the client certificate may come from PCS_KEY; the flag takes precedence', () => {
  expect(settingsOf({}, { PCS_CERT: cert, PCS_KEY: key })).toMatchObject({ cert, key });
  expect(settingsOf({ cert, 'client-key': other }, { PCS_KEY: key })).toMatchObject({ key: other });
});

test('a certificate or key alone is wrong usage, and so is a key that cannot be read', async () => {
  for (const flags of [{ cert }, { 'client-key': key }]) expect(() => settingsOf(flags)).toThrow('--client-key');
  const missing = join(folder, 'missing.pem');
  expect(() => settingsOf({ cert, 'client-key': missing })).toThrow(
    `--client-key ("${missing}") cannot be read: name a file that exists and is readable.`,
  );
  // With the signing key taken for that of the client certificate, nothing would be missing.
  const { code, err } = await certify('--reference', '--key', key, '--cert', cert);
  expect([code, err]).toEqual([2, [expect.stringContaining('--client-key')]]);
});

test('a certification with fewer calls than the default is wrong usage', async () => {
  const signing = join(folder, 'signing.pem');
  writeFileSync(signing, newKeys().own.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const names = ['--implementation-name', 'Acme', '--implementation-version', '1', '--vendor', 'Acme'];
  const { code, err } = await certify('--reference', '--key', signing, ...names, '--max-calls', '11');
  expect([code, err]).toEqual([2, ['certify does not accept --max-calls (PCS_MAX_CALLS) below 24: omit it.']]);
});
