/** The signature file of a bundle, attestation.json: an in-toto statement, signed after DSSE with Ed25519. */

import { type KeyObject, sign, verify } from 'node:crypto';
import { schemaProblem } from '../regression/own-files.ts';
import type { Results } from '../verdict/results.ts';
import { canonicalJson, Disagreement, parseCanonical, sha256 } from './bundle-files.ts';
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
    },
  };
}

interface SignatureFile {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/** The bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

/** Signs a statement: the text of the signature file. */
export function signStatement(statement: unknown, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement));
  const payloadType = 'application/vnd.in-toto+json';
  const signature = sign(null, signedBytes(payloadType, payload), key);
  const file: SignatureFile = {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ keyid: fingerprintOf(key), sig: signature.toString('base64') }],
  };
  return `${canonicalJson(file)}\n`;
}

function fromBase64(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Disagreement(`${name} has base64 that is not in its canonical form`);
  return bytes;
}

/** The statement in a signature file, which the key must have signed. Throws `Disagreement`. */
export function readStatement(text: string, name: string, key: KeyObject): unknown {
  const value = parseCanonical(text, name);
  const problem = schemaProblem('signatureFile', value);
  if (problem !== null) throw new Disagreement(`${name} is not a signature file: ${problem}`);
  const { payload, payloadType, signatures } = value as SignatureFile;
  const [{ keyid, sig }] = signatures;
  const [bytes, signature, own] = [fromBase64(payload, name), fromBase64(sig, name), fingerprintOf(key)];
  if (keyid !== own) throw new Disagreement(`${name} is signed with the key ${keyid}, but the given key is ${own}`);
  if (!verify(null, signedBytes(payloadType, bytes), key, signature)) {
    throw new Disagreement(`the signature in ${name} does not match its payload`);
  }
  return parseCanonical(`${bytes.toString('utf8')}\n`, `the payload of ${name}`);
}
