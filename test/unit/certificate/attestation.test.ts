/** The attestation checked by another implementation: openssl, with the signed bytes put together by hand. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalJson, sha256 } from '../../../src/certificate/canonical.ts';
import { sealedEnvelope, signedBytes } from '../../../src/certificate/envelope.ts';
import { fingerprintOf, readPrivateKey, readPublicKey } from '../../../src/certificate/keys.ts';
import { readNonce, seedOf } from '../../../src/certificate/nonce.ts';
import { NONCE, newKeys } from './certified.ts';

const WAYS = {
  ed25519: (files: Files) => [
    'pkeyutl',
    '-verify',
    '-pubin',
    '-inkey',
    files.key,
    '-rawin',
    '-in',
    files.signed,
    '-sigfile',
    files.sig,
  ],
  'ecdsa-p256': (files: Files) => ['dgst', '-sha256', '-verify', files.key, '-signature', files.sig, files.signed],
} as const;

interface Files {
  readonly key: string;
  readonly signed: string;
  readonly sig: string;
}

function openssl(words: readonly string[], input?: Buffer): Buffer {
  return execFileSync('openssl', words, {
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(input === undefined ? {} : { input }),
  });
}

describe.each(['ed25519', 'ecdsa-p256'] as const)('an attestation signed with %s', (algorithm) => {
  const { own, known } = newKeys(algorithm);
  const envelope = JSON.parse(sealedEnvelope({ said: 'größe' }, own));
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-openssl-'));
  const files = { key: join(folder, 'pub.pem'), signed: join(folder, 'signed'), sig: join(folder, 'sig') };
  const pem = known.export({ type: 'spki', format: 'pem' }).toString();
  writeFileSync(files.key, pem);

  test('is verified by openssl, and refused by it once the payload differs', () => {
    const payload = Buffer.from(envelope.payload, 'base64');
    writeFileSync(files.sig, Buffer.from(envelope.signatures[0].sig, 'base64'));
    const head = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `;
    writeFileSync(files.signed, Buffer.concat([Buffer.from(head), payload]));
    expect(openssl(WAYS[algorithm](files)).toString()).toMatch(/Verified OK|Signature Verified Successfully/);
    writeFileSync(files.signed, Buffer.concat([Buffer.from(head), payload, Buffer.from(' ')]));
    expect(() => openssl(WAYS[algorithm](files))).toThrow();
  });

  test('names the digest that openssl gives for the key', () => {
    const der = openssl(['pkey', '-pubin', '-in', files.key, '-outform', 'DER']);
    expect(envelope.signatures[0].keyid).toBe(sha256(der));
    expect(fingerprintOf(own)).toBe(fingerprintOf(readPublicKey(pem, 'pub.pem')));
  });
});

describe('what is signed', () => {
  test('is what the DSSE protocol shows as its example', () => {
    const bytes = signedBytes('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(bytes.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  test('is written in one way only', () => {
    expect(canonicalJson({ b: [1, { d: null, c: '€\n' }], a: true, ä: 1e21, gone: undefined })).toBe(
      '{"a":true,"b":[1,{"c":"€\\n","d":null}],"ä":1e+21}',
    );
  });
});

describe('keys and nonces', () => {
  test('of other kinds are refused with what to do', () => {
    const rsa = openssl(['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']).toString();
    const p384 = openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384']).toString();
    for (const pem of [rsa, p384]) expect(() => readPrivateKey(pem, 'k.pem')).toThrow('neither an Ed25519 nor');
    expect(() => readPrivateKey('nonsense', 'k.pem')).toThrow('k.pem holds no private key');
    expect(() => readPublicKey('nonsense', 'k.pem')).toThrow('k.pem holds no public key');
    expect(() => readPublicKey(rsa, 'k.pem')).toThrow('is a private key');
  });

  test('give a seed of 31 bits that depends on every digit', () => {
    expect(seedOf(NONCE)).toBe(seedOf(readNonce(NONCE.toUpperCase())));
    expect(seedOf(NONCE)).not.toBe(seedOf(`${NONCE.slice(0, -1)}e`));
    expect(seedOf(NONCE)).toBeLessThan(2 ** 31);
    expect(() => readNonce('abc')).toThrow('is no nonce');
  });
});
