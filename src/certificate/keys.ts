/** Signing keys: Ed25519, or ECDSA over P-256; PEM in both directions. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { UsageError } from '../contract/usage-error.ts';
import { sha256 } from './canonical.ts';

/** The algorithms that a certificate can be signed with. */
export const ALGORITHMS = ['ed25519', 'ecdsa-p256'] as const;

/** One of the algorithms. */
export type Algorithm = (typeof ALGORITHMS)[number];

/** A new key pair in PEM (PKCS #8 and SPKI). */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Makes a key pair from the system's random source. */
export function newKeyPair(algorithm: Algorithm): KeyPair {
  const pair =
    algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

/** The algorithm of a key, or `undefined` for a key that signs no certificate. */
export function algorithmOf(key: KeyObject): Algorithm | undefined {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return isP256 ? 'ecdsa-p256' : undefined;
}

function demandKnown(key: KeyObject, path: string): KeyObject {
  if (algorithmOf(key) !== undefined) return key;
  throw new UsageError(`${path} is neither an Ed25519 nor an ECDSA P-256 key: make one with pcs-conformance keygen.`);
}

/** The private key of a PEM text. Throws `UsageError` naming the file. */
export function readPrivateKey(pem: string, path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new UsageError(`${path} holds no private key in PEM without a passphrase: name the file that keygen wrote.`);
  }
  return demandKnown(key, path);
}

/** The public key of a PEM text; a private key is refused, since it does not belong there. Throws `UsageError`. */
export function readPublicKey(pem: string, path: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new UsageError(`${path} is a private key: verify with the public one.`);
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new UsageError(`${path} holds no public key in PEM: name the .pub.pem file that keygen wrote.`);
  }
  return demandKnown(key, path);
}

/** The fingerprint of a key: SHA-256 of its public half as SPKI in DER, in hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return sha256(half.export({ type: 'spki', format: 'der' }));
}
