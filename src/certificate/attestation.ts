/** The signature file of a bundle, attestation.json: an in-toto statement, signed after DSSE with Ed25519. */

import { type KeyObject, sign, verify } from 'node:crypto';
import { UsageError } from '../contract/usage-error.ts';
import type { Bundle, Manifest } from './bundle.ts';
import {
  ATTESTATION,
  canonicalJson,
  canonicalText,
  demand,
  type Entries,
  MANIFEST,
  readShaped,
  sha256,
  textIn,
  textOf,
} from './bundle-files.ts';
import { namesOf, type Outcome, readingsOf } from './certification.ts';
import { fingerprintOf } from './keys.ts';
import type { Register } from './register.ts';

/** An outcome that is signed. */
export type Attested = Extract<Outcome, { readonly kind: 'attested' }>;

/** The statement about a bundle: the digest of its manifest, and the outcome of the run. */
export function statementOf(manifest: Manifest, { results, conditions }: Bundle, { outcome, reason }: Attested) {
  const { format: _, files: __, ...particulars } = manifest;
  const { target, profile, without, strict, seed, counts } = results;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: MANIFEST, digest: { sha256: sha256(canonicalText(manifest)) } }] as const,
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

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

interface Signature {
  readonly keyid: string;
  readonly sig: string;
}

interface SignatureFile {
  readonly payload: string;
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** That of the signer, then that of the programme. */
  readonly signatures: readonly [Signature, Signature?];
}

/** What a bundle is verified with. */
export interface TrustedKeys {
  /** Public keys of signers; one of them must have signed. `null` leaves the signature of the signer unchecked. */
  readonly signers: readonly KeyObject[] | null;
  /** Public key of the programme, which must then have countersigned. */
  readonly programme?: KeyObject;
  /** The nonce that the programme issued. */
  readonly nonce?: string;
  /** The log of the witness, which must then have seen the run. */
  readonly witness?: string;
  /** The register of the programme, and the day on which it is asked. */
  readonly register?: Register & { readonly day: string };
}

/** A signature that a bundle has: its key, and whether it was checked. */
export interface CheckedSignature {
  readonly keyid: string;
  readonly checked: boolean;
}

/** A statement, and the signatures that it has. */
export interface SignedStatement {
  readonly statement: ReturnType<typeof statementOf>;
  readonly signer: CheckedSignature;
  readonly programme: CheckedSignature | null;
}

/** The bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

function signatureBy(key: KeyObject, payload: Uint8Array): Signature {
  return { keyid: fingerprintOf(key), sig: sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString('base64') };
}

/** Signs a statement: the text of the signature file. */
export function signStatement(statement: unknown, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement));
  const file = { payload: payload.toString('base64'), payloadType: PAYLOAD_TYPE };
  return canonicalText({ ...file, signatures: [signatureBy(key, payload)] });
}

/** Adds the signature of the programme. Throws `UsageError` if there is one, or if the key is that of the signer. */
export function countersigned(entries: Entries, key: KeyObject): string {
  const file = readSignatureFile(entries);
  const [signer, programme] = file.signatures;
  const own = signatureBy(key, fromBase64(file.payload));
  if (programme !== undefined)
    throw new UsageError(`${ATTESTATION} is already countersigned with the key ${programme.keyid}`, 'use it as it is');
  if (signer.keyid === own.keyid)
    throw new UsageError(`The key ${own.keyid} signed this bundle`, 'countersign with the key of the programme');
  return canonicalText({ ...file, signatures: [signer, own] });
}

function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  demand(bytes.toString('base64') === text, `${ATTESTATION} has base64 that is not in its canonical form`);
  return bytes;
}

const readSignatureFile = (entries: Entries): SignatureFile =>
  readShaped('signatureFile', textIn(entries, ATTESTATION), ATTESTATION);

/** Demands that a key of these made the signature; `what` says what it does. */
function demandSignature({ keyid, sig }: Signature, payload: Buffer, keys: readonly KeyObject[], what: string): void {
  const key = keys.find((one) => fingerprintOf(one) === keyid);
  const [only, ...more] = keys.map(fingerprintOf);
  const given = more.length === 0 ? `the given key is ${only}` : 'that key was not given';
  demand(key !== undefined, `${ATTESTATION} is ${what} with the key ${keyid}, but ${given}`);
  const isMatching = verify(null, signedBytes(PAYLOAD_TYPE, payload), key, fromBase64(sig));
  demand(isMatching, `the signature of the key ${keyid} in ${ATTESTATION} does not match its payload`);
}

/** The statement in the signature file, which the keys must have signed. Throws `Disagreement`. */
export function readStatement(entries: Entries, { signers, programme }: TrustedKeys): SignedStatement {
  const { payload, signatures } = readSignatureFile(entries);
  const [signer, second] = signatures;
  demand(signer.keyid !== second?.keyid, `${ATTESTATION} has two signatures of the key ${signer.keyid}`);
  const bytes = fromBase64(payload);
  if (signers !== null) demandSignature(signer, bytes, signers, 'signed');
  if (programme !== undefined) {
    demand(second !== undefined, `${ATTESTATION} is not countersigned`);
    demandSignature(second, bytes, [programme], 'countersigned');
  }
  const name = `the statement in ${ATTESTATION}`;
  return {
    statement: readShaped('statement', textOf(bytes, name), name, canonicalJson),
    signer: { keyid: signer.keyid, checked: signers !== null },
    programme: second === undefined ? null : { keyid: second.keyid, checked: programme !== undefined },
  };
}
