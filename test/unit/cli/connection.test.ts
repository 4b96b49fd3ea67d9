/** Unusable certificates and keys are rejected before anything is sent. */

import { generateKeyPairSync } from 'node:crypto';
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
const CUT = fileOf('cut.pem', readFileSync(CERT, 'utf8').slice(0, 300));

const connection = (files: object) => connectionOf({ header: [], ...files } as unknown as Settings);

test('a matching certificate and key are used', () => {
  expect(connection({ ca: CA, cert: CERT, key: KEY })).toEqual({
    ca: readFileSync(CA, 'utf8'),
    client: { cert: readFileSync(CERT, 'utf8'), key: readFileSync(KEY, 'utf8') },
  });
});

test.each([
  ['an empty authority', { ca: EMPTY }, `--ca (${EMPTY}) contains no certificate`],
  ['a key for an authority', { ca: KEY }, `--ca (${KEY}) contains no certificate`],
  ['a certificate that was cut', { cert: CUT, key: KEY }, `--cert (${CUT}) contains no certificate`],
  ['certificate and key swapped', { cert: KEY, key: CERT }, `--cert (${KEY}) contains no certificate`],
  ['a certificate for a key', { cert: CERT, key: CERT }, `--key (${CERT}) contains no private key`],
  ['a key with a pass phrase', { cert: CERT, key: LOCKED }, `--key (${LOCKED}) contains no private key`],
  ['a key of 512 bits', { cert: SHORT, key: SHORT }, `--cert (${SHORT}) is rejected by OpenSSL`],
  ["another's key", { cert: CERT, key: OTHER }, `--key (${OTHER}) does not belong to the certificate`],
])('%s', (_, files, sentence) => {
  expect(() => connection(files)).toThrow(sentence);
});
