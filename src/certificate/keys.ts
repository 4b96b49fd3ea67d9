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

/** The key of a file from keygen that ends in `.pem` or `.pub.pem`. */
function readKey(
  create: (pem: string) => KeyObject,
  pem: string,
  path: string,
  kind: string,
  ending: string,
): KeyObject {
  let key: KeyObject;
  try {
    key = create(pem);
  } catch {
    throw new UsageError(`${path} does not hold ${kind} in PEM`, `name the ${ending} file from keygen`);
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
export function readPrivateKey(pem: string, path: string): KeyObject {
  return readKey(createPrivateKey, pem, path, 'an unencrypted private key', '.pem');
}

/** The public key of a PEM text; a private key is rejected. Throws `UsageError` naming the file. */
export function readPublicKey(pem: string, path: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new UsageError(`${path} is a private key`, 'give the public key');
  return readKey(createPublicKey, pem, path, 'a public key', '.pub.pem');
}

/** The fingerprint of a key: SHA-256 of its public half as SPKI in DER, in hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return sha256(half.export({ type: 'spki', format: 'der' }));
}
