/** Unusable certificates and keys are rejected before anything is sent. */

import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectionOf } from '../../../src/cli/engine.ts';
import type { Settings } from '../../../src/settings/table.ts';

const TLS = join(import.meta.dirname, '..', 'client', 'tls');
const pemAt = (name: string): string => join(TLS, `${name}.pem`);
const [CERT, KEY, CA, SHORT] = [pemAt('localhost'), pemAt('server-key'), pemAt('authority'), pemAt('short')];
const folder = mkdtempSync(join(tmpdir(), 'connection-'));

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const OTHER = fileOf('other.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
const LOCKED = fileOf(
  'locked.pem',
  String(privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })),
);
const EMPTY = fileOf('empty.pem', '');
const both = (name: string, ...parts: readonly string[]): string =>
  fileOf(name, parts.map((part) => readFileSync(part, 'utf8')).join('\n'));
const CLIENT = both('client.pem', CERT, KEY);
const DER = join(folder, 'authority.der');
writeFileSync(DER, new X509Certificate(readFileSync(CA)).raw);
const CUT = fileOf('cut.pem', readFileSync(CERT, 'utf8').slice(0, 300));

const connection = (files: object) => connectionOf({ header: [], ...files } as unknown as Settings);

test('a matching certificate and key are used', () => {
  const [ca, cert, key] = [CA, CERT, KEY].map((file) => readFileSync(file, 'utf8'));
  expect(connection({ ca: CA, cert: CERT, key: KEY })).toEqual({ ca, client: { cert, key } });
  for (const cert of [CLIENT, both('key-first.pem', KEY, CERT)]) {
    const pem = readFileSync(cert, 'utf8');
    expect(connection({ ca: CA, cert })).toEqual({ ca: readFileSync(CA, 'utf8'), client: { cert: pem, key: pem } });
  }
});

test.each([
  ['an empty authority', { ca: EMPTY }, `--ca (${EMPTY}) contains no certificate`],
  ['an authority in DER', { ca: DER }, `--ca (${DER}) is not a text in UTF-8: give it as PEM`],
  ['a key for an authority', { ca: KEY }, `--ca (${KEY}) contains no certificate`],
  ['a certificate that was cut', { cert: CUT }, `--cert (${CUT}) contains no certificate`],
  ['a key alone', { cert: KEY }, `--cert (${KEY}) contains no certificate`],
  ["another's key in a file of its own", { cert: CERT, key: OTHER }, `--key (${OTHER}) holds another key`],
  ['a key without its certificate', { key: KEY }, `--cert (${KEY}) contains no certificate`],
  ['a certificate alone', { cert: CERT }, `--cert (${CERT}) contains no private key`],
  [
    'a key with a pass phrase',
    { cert: both('locked-key.pem', CERT, LOCKED) },
    'contains no private key without a pass phrase',
  ],
  ['a key of 512 bits', { cert: SHORT }, `--cert (${SHORT}) is rejected by OpenSSL`],
  ["another's key", { cert: both('others-key.pem', CERT, OTHER) }, 'holds another key than that of the certificate'],
])('%s', (_, files, sentence) => {
  expect(() => connection(files)).toThrow(sentence);
});
