/** The key that signs a certificate and the key of a client certificate are two. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certifySettings } from '../../../src/cli/certify-settings.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { stage } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-certify-'));
const [cert, key, other] = ['cert.pem', 'key.pem', 'other.pem'].map((name) => {
  writeFileSync(join(folder, name), name);
  return join(folder, name);
}) as [string, string, string];
const settingsOf = (flags: Readonly<Record<string, string | true>>, env: Readonly<Record<string, string>> = {}) =>
  certifySettings({ reference: true, key: 'signing.pem', ...flags }, { env, envFile: undefined });

test('a certification signs with --key and shows the target the key of --client-key', () => {
  expect(settingsOf({})).not.toHaveProperty('keyFile');
  expect(settingsOf({ cert, 'client-key': key })).toMatchObject({ certFile: cert, keyFile: key });
});

test('the key of the client certificate may come from PCS_KEY, which the flag outdoes', () => {
  expect(settingsOf({}, { PCS_CERT: cert, PCS_KEY: key })).toMatchObject({ certFile: cert, keyFile: key });
  expect(settingsOf({ cert, 'client-key': other }, { PCS_KEY: key })).toMatchObject({ keyFile: other });
});

test('one of certificate and key alone is wrong usage, and so is a key that cannot be read', () => {
  for (const flags of [{ cert }, { 'client-key': key }]) expect(() => settingsOf(flags)).toThrow('--client-key');
  const missing = join(folder, 'missing.pem');
  expect(() => settingsOf({ cert, 'client-key': missing })).toThrow(
    new UsageError(`--client-key ${missing} cannot be read: name the private key of the client certificate.`),
  );
});

test('the help of certify names both keys', async () => {
  const { terminal, out } = stage();
  await runCommandLine(['certify', '--help'], terminal);
  const help = out.join('\n').replaceAll(/\s+/g, ' ');
  expect(help).toContain('--client-key <FILE> private key of the client certificate (--cert), PEM [PCS_KEY]');
  expect(help).toContain('--cert <FILE>');
});
