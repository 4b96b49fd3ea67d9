/** A DSSE envelope around an in-toto statement: signed, written in one way only, and opened again. */

import { type KeyObject, sign, verify } from 'node:crypto';
import { schemaProblem } from '../regression/schemas.ts';
import { canonicalJson } from './canonical.ts';
import { Disagreement } from './disagreement.ts';
import { isOneForm, oneForm } from './ecdsa.ts';
import { algorithmOf, fingerprintOf } from './keys.ts';

/** Media type of the payload. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** The envelope as a file holds it. */
export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/** The bytes that are signed: DSSE's pre-authentication encoding of type and payload. */
export function signedBytes(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${payload.length} `), payload]);
}

const isEcdsa = (key: KeyObject): boolean => algorithmOf(key) === 'ecdsa-p256';

// Ed25519 has its digest built in; for ECDSA it is SHA-256, and the signature is in DER as openssl reads it.
const digestFor = (key: KeyObject): 'sha256' | null => (isEcdsa(key) ? 'sha256' : null);

function signatureOf(bytes: Uint8Array, key: KeyObject): Buffer {
  if (!isEcdsa(key)) return sign(digestFor(key), bytes, key);
  return oneForm(sign(digestFor(key), bytes, { key, dsaEncoding: 'ieee-p1363' }));
}

/** The envelope file: the statement signed, in canonical form with a final newline. */
export function sealedEnvelope(statement: unknown, key: KeyObject): string {
  const payload = Buffer.from(canonicalJson(statement));
  const signature = signatureOf(signedBytes(PAYLOAD_TYPE, payload), key);
  const envelope: Envelope = {
    payload: payload.toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: fingerprintOf(key), sig: signature.toString('base64') }],
  };
  return `${canonicalJson(envelope)}\n`;
}

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Disagreement(`${name} is no JSON`);
  }
}

/** The value of a text that is in canonical form; throws `Disagreement` for any other way to write it. */
export function canonicalValue(text: string, name: string): unknown {
  const value = parsed(text, name);
  if (`${canonicalJson(value)}\n` !== text) throw new Disagreement(`${name} is not in its canonical form`);
  return value;
}

/** Opens an envelope: the statement that the key signed. Throws `Disagreement` with what does not agree. */
export function openEnvelope(text: string, name: string, key: KeyObject): unknown {
  const value = canonicalValue(text, name);
  const problem = schemaProblem('envelope', value);
  if (problem !== null) throw new Disagreement(`${name} is no envelope: ${problem}`);
  const { payload, payloadType, signatures } = value as Envelope;
  const [{ keyid, sig }] = signatures;
  if (!isBase64(payload) || !isBase64(sig))
    throw new Disagreement(`${name} has base64 that is not in its canonical form`);
  if (keyid !== fingerprintOf(key)) {
    throw new Disagreement(`${name} is signed with the key ${keyid}, and the given key is ${fingerprintOf(key)}`);
  }
  const [bytes, signature] = [Buffer.from(payload, 'base64'), Buffer.from(sig, 'base64')];
  if (isEcdsa(key) && !isOneForm(signature)) {
    throw new Disagreement(`the signature of ${name} is not in its one form, DER with the lower s`);
  }
  if (!verify(digestFor(key), signedBytes(payloadType, bytes), key, signature)) {
    throw new Disagreement(`the signature of ${name} does not fit its payload`);
  }
  return canonicalValue(`${bytes.toString('utf8')}\n`, `the payload of ${name}`);
}
