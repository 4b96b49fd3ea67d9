/** The signature file verified by another implementation: node-forge, with the signed bytes put together by hand. */

import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { describe, expect, test } from 'vitest';
import {
  fingerprintOf,
  newKeyPair,
  readPrivateKey,
  readPublicKey,
  signedBytes,
  signStatement,
} from '../../../src/certificate/attestation.ts';
import { certifyingOptions, readNonce } from '../../../src/certificate/certification.ts';
import { canonicalJson } from '../../../src/exchange/digest.ts';
import { DEFAULTS, type RunOptions } from '../../../src/run/options.ts';
import { IMPLEMENTATION, NONCE, newKeys, VERSION } from './certified.ts';

const TARGET = { baseUrl: 'https://service.invalid', credentials: { access: 'acme_org_1' } };

describe('a signature file', () => {
  const { own, known } = newKeys();
  const signatureFile = JSON.parse(signStatement({ said: 'größe' }, own));
  const pem = known.export({ type: 'spki', format: 'pem' }).toString();
  const der = forge.pem.decode(pem)[0]?.body ?? '';

  test('is verified by node-forge, which rejects another payload', () => {
    const publicKey = forge.pki.ed25519.publicKeyFromAsn1(forge.asn1.fromDer(der));
    const payload = Buffer.from(signatureFile.payload, 'base64');
    const signature = Buffer.from(signatureFile.signatures[0].sig, 'base64');
    const head = `DSSEv1 ${signatureFile.payloadType.length} ${signatureFile.payloadType} ${payload.length} `;
    const message = Buffer.concat([Buffer.from(head), payload]);
    expect(forge.pki.ed25519.verify({ message, signature, publicKey })).toBe(true);
    const other = Buffer.concat([message, Buffer.from(' ')]);
    expect(forge.pki.ed25519.verify({ message: other, signature, publicKey })).toBe(false);
  });

  test('names the digest of the key as node-forge computes it', () => {
    expect(signatureFile.signatures[0].keyid).toBe(forge.md.sha256.create().update(der).digest().toHex());
    expect(fingerprintOf(own)).toBe(fingerprintOf(readPublicKey(pem, 'pub.pem')));
  });
});

describe('the signed bytes', () => {
  test('are those of the example in the DSSE protocol', () => {
    const bytes = signedBytes('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(bytes.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  test('come from a canonical form', () => {
    expect(canonicalJson({ b: [1, { d: null, c: '€\n' }], a: true, ä: 1e21, gone: undefined })).toBe(
      '{"a":true,"b":[1,{"c":"€\\n","d":null}],"ä":1e+21}',
    );
  });
});

describe('keys and nonces', () => {
  test('of other kinds are rejected', () => {
    const [written, spki] = [{ type: 'pkcs8', format: 'pem' } as const, { type: 'spki', format: 'pem' } as const];
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(written).toString();
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [one, two] = [newKeyPair(), newKeyPair()];
    for (const [read, pem, says] of [
      [readPrivateKey, rsa, 'k.pem is not an Ed25519 key but rsa'],
      [readPrivateKey, p256.privateKey.export(written).toString(), 'k.pem is not an Ed25519 key but ec'],
      [readPublicKey, p256.publicKey.export(spki).toString(), 'but ec: ask the signer for the Ed25519 public key.'],
      [readPrivateKey, one.privateKey + two.privateKey, 'k.pem holds 2 keys'],
      [readPublicKey, one.publicKey + two.publicKey, 'k.pem holds 2 keys'],
      [readPrivateKey, 'nonsense', 'k.pem does not hold an unencrypted private key'],
      [readPublicKey, 'nonsense', 'k.pem does not hold a public key'],
      [readPublicKey, rsa, 'is a private key'],
    ] as const)
      expect(() => read(pem, 'k.pem')).toThrow(says);
  });

  test('give a seed of 31 bits that depends on every digit, on the implementation and on the settings', () => {
    const seedWith = (nonce: string, changes: Partial<RunOptions> = {}, implementation = IMPLEMENTATION) =>
      certifyingOptions({ ...DEFAULTS, ...TARGET, ...changes }, { nonce, implementation }, VERSION).seed;
    const same = seedWith(NONCE);
    expect(seedWith(readNonce(NONCE.toUpperCase()))).toBe(same);
    const others = [
      seedWith(`${NONCE.slice(0, -1)}e`),
      seedWith(NONCE, {}, { ...IMPLEMENTATION, version: '1.2.4' }),
      seedWith(NONCE, { baseUrl: 'https://other.invalid' }),
      seedWith(NONCE, { without: ['getTrunk'] }),
      seedWith(NONCE, { credentials: { ...TARGET.credentials, revoked: 'acme_org_2' } }),
    ];
    expect(new Set([same, ...others]).size).toBe(6);
    for (const seed of [same, ...others]) expect(seed).toBeLessThan(2 ** 31);
    expect(() => readNonce('abc')).toThrow('is not a nonce');
  });
});
