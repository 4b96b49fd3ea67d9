/** Ed25519 keys that sign certificates, as PEM. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { UsageError } from '../contract/usage-error.ts';
import { sha256 } from './bundle-files.ts';

/** A new key pair as PEM (PKCS #8 and SPKI). */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** The key that a file from keygen holds. */
function readKey(create: () => KeyObject, pem: string, path: string, what: string, remedy: string): KeyObject {
  let key: KeyObject;
  try {
    key = create();
  } catch {
    throw new UsageError(`${path} does not hold ${what} in PEM`, remedy);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new UsageError(
      `${path} is not an Ed25519 key but ${key.asymmetricKeyType}`,
      key.type === 'private' ? 'make one with pcs-conformance keygen' : 'ask the signer for the Ed25519 public key',
    );
  const blocks = pem.match(/^-----BEGIN /gm)?.length ?? 0;
  if (blocks !== 1) throw new UsageError(`${path} holds ${blocks} keys or certificates`, 'give a file with one key');
  return key;
}

/** The private key of a PEM text. Throws `UsageError` naming the file. */
export const readPrivateKey = (pem: string, path: string): KeyObject =>
  readKey(() => createPrivateKey(pem), pem, path, 'an unencrypted private key', 'name the .pem file from keygen');

/** The public key of a PEM text; a private key is rejected. Throws `UsageError` naming the file. */
export function readPublicKey(pem: string, path: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new UsageError(`${path} is a private key`, 'give the public key');
  return readKey(() => createPublicKey(pem), pem, path, 'a public key', 'name the .pub.pem file from keygen');
}

/** The fingerprint of a key: SHA-256 of its public half as SPKI in DER, in hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return sha256(half.export({ type: 'spki', format: 'der' }));
}
