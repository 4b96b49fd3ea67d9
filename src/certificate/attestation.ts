/** The signature file of a bundle, attestation.json: an in-toto statement, signed after DSSE with Ed25519; and keys. */

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { UsageError, withUsageError } from '../contract/usage-error.ts';
import { canonicalJson, sha256 } from '../exchange/digest.ts';
import { COMMAND } from '../report/command-line.ts';
import type { Results } from '../verdict/results.ts';
import {
  ATTESTATION,
  canonicalText,
  demand,
  type Entries,
  MANIFEST,
  type Manifest,
  readShaped,
  textIn,
  utf8Text,
} from './bundle-files.ts';
import { type Attested, caseNames, saidOf } from './certification.ts';

/**
 * The statement about a bundle: the digest of its manifest, what the results say, and the fingerprint of its signer.
 * Without the fingerprint, a vendor put its own signature in place of another's, and kept the countersignature.
 */
export function statementOf(manifest: Manifest, results: Results, { outcome }: Attested, signer: string) {
  const { format: _, files: __, ...particulars } = manifest;
  const { target, counts } = results;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: MANIFEST, digest: { sha256: sha256(canonicalText(manifest)) } }] as const,
    // A domain that no one can own.
    predicateType: 'https://pcs-conformance.invalid/attestation/conformance/v1',
    predicate: {
      ...{
        outcome,
        ...particulars,
        ...saidOf(results),
        target,
        counts,
        warnings: caseNames(results, 'warning'),
        signer,
      },
    },
  };
}

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

type Signature = ReturnType<typeof signatureBy>;

interface SignatureFile {
  readonly payload: string;
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** The signature of the signer, then that of the programme. */
  readonly signatures: readonly [Signature, Signature?];
}

/** The bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

function signatureBy(key: KeyObject, payload: Uint8Array) {
  return { keyid: fingerprintOf(key), sig: sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString('base64') };
}

/** Signs a statement: the text of the signature file. */
export function signStatement(statement: unknown, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement));
  const file = { payload: payload.toString('base64'), payloadType: PAYLOAD_TYPE };
  return canonicalText({ ...file, signatures: [signatureBy(key, payload)] });
}

/** Adds the signature of the programme. Throws `UsageError` if there is one already, or if the key is the signer's. */
export function countersigned(entries: Entries, key: KeyObject): string {
  const file = readSignatureFile(entries);
  const [signer, programme] = file.signatures;
  const signature = signatureBy(key, fromBase64(file.payload));
  if (programme !== undefined)
    throw new UsageError(`${ATTESTATION} is already countersigned with the key ${programme.keyid}`, 'use it as it is');
  if (signer.keyid === signature.keyid)
    throw new UsageError(`The key ${signature.keyid} signed this bundle`, 'countersign with the key of the programme');
  return canonicalText({ ...file, signatures: [signer, signature] });
}

function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  demand(bytes.toString('base64') === text, `${ATTESTATION} has base64 that is not in its canonical form`);
  return bytes;
}

const readSignatureFile = (entries: Entries): SignatureFile =>
  readShaped('signatureFile', textIn(entries, ATTESTATION), ATTESTATION);

/** Demands that the key made the signature; `what` describes the signature. */
function demandSignature({ keyid, sig }: Signature, payload: Buffer, key: KeyObject, what: string): void {
  const given = fingerprintOf(key);
  demand(given === keyid, `${ATTESTATION} is ${what} with the key ${keyid}, but the given key is ${given}`);
  const isMatching = verify(null, signedBytes(PAYLOAD_TYPE, payload), key, fromBase64(sig));
  demand(isMatching, `the signature of the key ${keyid} in ${ATTESTATION} does not match its payload`);
}

/** The public keys that must have signed a bundle; a signature without its key is left unchecked. */
export interface Trusted {
  readonly signer?: KeyObject;
  /** The key of the programme, which must then have countersigned. */
  readonly programme?: KeyObject;
  /** The nonce that the programme issued. */
  readonly nonce?: string;
}

/**
 * The statement in the signature file, which these keys must have signed, and the signatures that it has: their keys,
 * and whether they were checked. Throws `Disagreement`.
 */
export function readStatement(entries: Entries, keys: Trusted) {
  const { payload, signatures } = readSignatureFile(entries);
  const [signer, second] = signatures;
  demand(signer.keyid !== second?.keyid, `${ATTESTATION} has two signatures of the key ${signer.keyid}`);
  const bytes = fromBase64(payload);
  if (keys.signer !== undefined) demandSignature(signer, bytes, keys.signer, 'signed');
  if (keys.programme !== undefined) {
    demand(second !== undefined, `${ATTESTATION} is not countersigned`);
    demandSignature(second, bytes, keys.programme, 'countersigned');
  }
  const name = `the statement in ${ATTESTATION}`;
  return {
    statement: readShaped<ReturnType<typeof statementOf>>('statement', utf8Text(bytes, name), name, canonicalJson),
    signer: { keyid: signer.keyid, checked: keys.signer !== undefined },
    programme: second === undefined ? null : { keyid: second.keyid, checked: keys.programme !== undefined },
  };
}

/** A new key pair as PEM (PKCS #8 and SPKI). */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

function readKey(create: () => KeyObject, pem: string, path: string, what: string, remedy: string): KeyObject {
  const key = withUsageError(create, `${path} does not hold ${what} in PEM`, remedy);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new UsageError(
      `${path} is not an Ed25519 key but ${key.asymmetricKeyType}`,
      key.type === 'private' ? `make one with ${COMMAND} keygen` : 'ask the signer for the Ed25519 public key',
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
