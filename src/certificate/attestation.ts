/** The signature file of a bundle, attestation.json: an in-toto statement, signed after DSSE with Ed25519. */

import { type KeyObject, sign, verify } from 'node:crypto';
import { UsageError } from '../contract/usage-error.ts';
import type { Results } from '../verdict/results.ts';
import { canonicalJson, demand, demandShape, parseCanonical, sha256, textOf } from './bundle-files.ts';
import { namesOf, type Outcome, type Particulars, readingsOf } from './certification.ts';
import { fingerprintOf } from './keys.ts';

/** An outcome that is signed. */
export type Attested = Extract<Outcome, { readonly kind: 'attested' }>;

/** The statement about a bundle: the digest of its manifest, and the outcome of the run. */
export function statementOf(
  manifest: string,
  particulars: Particulars,
  results: Results,
  { outcome, reason }: Attested,
  conditions: readonly string[],
): object {
  const { target, profile, without, strict, seed, counts } = results;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'manifest.json', digest: { sha256: sha256(manifest) } }],
    // In a domain that no one can own.
    predicateType: 'https://pcs-conformance.invalid/attestation/conformance/v1',
    predicate: {
      ...{ outcome, reason, ...particulars, target, profile, without, strict, seed, counts },
      notExercised: namesOf(results, 'not-exercised'),
      warnings: namesOf(results, 'warning'),
      readings: readingsOf(results),
      conditions,
    },
  };
}

interface Signature {
  readonly keyid: string;
  readonly sig: string;
}

interface SignatureFile {
  readonly payload: string;
  readonly payloadType: string;
  /** That of the signer, then that of the programme. */
  readonly signatures: readonly [Signature, Signature?];
}

/** The keys that a bundle is verified with. */
export interface TrustedKeys {
  /** Public keys of signers; one of them must have signed. `null` leaves the signature of the signer unchecked. */
  readonly signers: readonly KeyObject[] | null;
  /** Public key of the programme, which must then have countersigned. */
  readonly programme?: KeyObject;
  /** The nonce that the programme issued. */
  readonly nonce?: string;
  /** The log of the witness, which must then have seen the run. */
  readonly witness?: string;
}

/** A signature that a bundle has: its key, and whether it was checked. */
export interface CheckedSignature {
  readonly keyid: string;
  readonly checked: boolean;
}

/** What a signature file holds. */
export interface OpenedSignatureFile {
  readonly statement: unknown;
  readonly signer: CheckedSignature;
  readonly programme: CheckedSignature | null;
}

/** The bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

function signatureBy(key: KeyObject, payloadType: string, payload: Uint8Array): Signature {
  const sig = sign(null, signedBytes(payloadType, payload), key).toString('base64');
  return { keyid: fingerprintOf(key), sig };
}

/** Signs a statement: the text of the signature file. */
export function signStatement(statement: unknown, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement));
  const payloadType = 'application/vnd.in-toto+json';
  const file: SignatureFile = {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [signatureBy(key, payloadType, payload)],
  };
  return `${canonicalJson(file)}\n`;
}

/** Adds the signature of the programme. Throws `UsageError` if there is one, or if the key is that of the signer. */
export function countersigned(text: string, name: string, key: KeyObject): string {
  const file = readSignatureFile(text, name);
  const [signer, programme] = file.signatures;
  const own = signatureBy(key, file.payloadType, fromBase64(file.payload, name));
  if (programme !== undefined)
    throw new UsageError(`${name} is already countersigned with the key ${programme.keyid}`, 'use it as it is');
  if (signer.keyid === own.keyid) {
    throw new UsageError(`The key ${own.keyid} signed this bundle`, 'countersign with the key of the programme');
  }
  return `${canonicalJson({ ...file, signatures: [signer, own] })}\n`;
}

function fromBase64(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  demand(bytes.toString('base64') === text, `${name} has base64 that is not in its canonical form`);
  return bytes;
}

function readSignatureFile(text: string, name: string): SignatureFile {
  const value = parseCanonical(text, name);
  demandShape('signatureFile', value, name);
  return value as SignatureFile;
}

/** The statement in a signature file, which the keys must have signed. Throws `Disagreement`. */
export function readStatement(text: string, name: string, { signers, programme }: TrustedKeys): OpenedSignatureFile {
  const { payload, payloadType, signatures } = readSignatureFile(text, name);
  const [signer, second] = signatures;
  demand(signer.keyid !== second?.keyid, `${name} has two signatures of the key ${signer.keyid}`);
  const bytes = fromBase64(payload, name);
  const signed = signedBytes(payloadType, bytes);
  const demandSignature = ({ keyid, sig }: Signature, keys: readonly KeyObject[], what: string): void => {
    const key = keys.find((one) => fingerprintOf(one) === keyid);
    const [only, ...more] = keys.map(fingerprintOf);
    const given = more.length === 0 ? `the given key is ${only}` : 'that key was not given';
    demand(key !== undefined, `${name} is ${what} with the key ${keyid}, but ${given}`);
    const isMatching = verify(null, signed, key, fromBase64(sig, name));
    demand(isMatching, `the signature of the key ${keyid} in ${name} does not match its payload`);
  };
  if (signers !== null) demandSignature(signer, signers, 'signed');
  if (programme !== undefined) {
    demand(second !== undefined, `${name} is not countersigned`);
    demandSignature(second, [programme], 'countersigned');
  }
  return {
    statement: parseCanonical(`${textOf(bytes, name)}\n`, `the payload of ${name}`),
    signer: { keyid: signer.keyid, checked: signers !== null },
    programme: second === undefined ? null : { keyid: second.keyid, checked: programme !== undefined },
  };
}
