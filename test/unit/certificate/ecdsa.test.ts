/** An ECDSA signature is taken in one form only: nobody without the key writes another one that verifies. */

import { type KeyObject, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/certificate/canonical.ts';
import { Disagreement } from '../../../src/certificate/disagreement.ts';
import { openEnvelope, sealedEnvelope, signedBytes } from '../../../src/certificate/envelope.ts';
import { newKeys } from './certified.ts';

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
const STATEMENT = { said: 'so' };
const keys = newKeys('ecdsa-p256');

const hexOf = (value: bigint): string => value.toString(16).padStart(64, '0');
const numberIn = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/** Where the two integers of a signature in DER lie. */
function halvesOf(der: Buffer): readonly [Buffer, Buffer] {
  const length = der[3] ?? 0;
  return [der.subarray(4, 4 + length), der.subarray(6 + length)];
}

function integer(value: bigint): Buffer {
  const bytes = Buffer.from(hexOf(value), 'hex');
  const first = bytes.findIndex((byte) => byte > 0);
  const short = bytes.subarray(first);
  const content = (short[0] ?? 0) < 128 ? short : Buffer.concat([Buffer.of(0), short]);
  return Buffer.concat([Buffer.of(2, content.length), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
};

function signatureIn(envelope: string): Buffer {
  return Buffer.from(JSON.parse(envelope).signatures[0].sig, 'base64');
}

function withSignature(envelope: string, signature: Uint8Array): string {
  const value = JSON.parse(envelope);
  value.signatures[0].sig = Buffer.from(signature).toString('base64');
  return `${canonicalJson(value)}\n`;
}

function stillVerifies(envelope: string, signature: Uint8Array, key: KeyObject): boolean {
  const { payload, payloadType } = JSON.parse(envelope);
  return verify('sha256', signedBytes(payloadType, Buffer.from(payload, 'base64')), key, signature);
}

describe('an ECDSA signature', () => {
  test('is made with the lower s, whatever came of the dice', () => {
    for (let count = 0; count < 40; count += 1) {
      const envelope = sealedEnvelope(STATEMENT, keys.own);
      const [, s] = halvesOf(signatureIn(envelope));
      expect(numberIn(s) <= ORDER / 2n).toBe(true);
      expect(openEnvelope(envelope, 'a.json', keys.known)).toEqual(STATEMENT);
    }
  });

  test('with n - s for s verifies elsewhere and is refused', () => {
    const envelope = sealedEnvelope(STATEMENT, keys.own);
    const [r, s] = halvesOf(signatureIn(envelope));
    const other = sequence(integer(numberIn(r)), integer(ORDER - numberIn(s)));
    expect(stillVerifies(envelope, other, keys.known)).toBe(true);
    const open = () => openEnvelope(withSignature(envelope, other), 'a.json', keys.known);
    expect(open).toThrow(new Disagreement('the signature of a.json is not in its one form, DER with the lower s'));
  });

  test.each([
    ['a zero byte too many before r', (r: Buffer, s: Buffer) => padded(r, s)],
    ['a length in two bytes', (r: Buffer, s: Buffer) => longLength(r, s)],
    ['a byte after it', (r: Buffer, s: Buffer) => Buffer.concat([plain(r, s), Buffer.of(0)])],
    ['a byte after s within it', (r: Buffer, s: Buffer) => sequence(part(r), part(s), Buffer.of(0))],
    ['nothing in it', () => Buffer.of()],
    ['its two halves alone', (r: Buffer, s: Buffer) => Buffer.concat([r, s])],
  ])('with %s is refused', (_, write) => {
    const envelope = sealedEnvelope(STATEMENT, keys.own);
    const [r, s] = halvesOf(signatureIn(envelope));
    expect(plain(r, s).equals(signatureIn(envelope))).toBe(true);
    const open = () => openEnvelope(withSignature(envelope, write(r, s)), 'a.json', keys.known);
    expect(open).toThrow(/one form|is no envelope/);
  });

  test('of another implementation with the higher s is refused', () => {
    const envelope = sealedEnvelope(STATEMENT, keys.own);
    const bytes = signedBytes(JSON.parse(envelope).payloadType, Buffer.from(JSON.parse(envelope).payload, 'base64'));
    let high = sign('sha256', bytes, keys.own);
    while (numberIn(halvesOf(high)[1]) <= ORDER / 2n) high = sign('sha256', bytes, keys.own);
    expect(() => openEnvelope(withSignature(envelope, high), 'a.json', keys.known)).toThrow('one form');
  });
});

const part = (content: Buffer): Buffer => Buffer.concat([Buffer.of(2, content.length), content]);
const plain = (r: Buffer, s: Buffer): Buffer => sequence(part(r), part(s));
const padded = (r: Buffer, s: Buffer): Buffer => sequence(part(Buffer.concat([Buffer.of(0), r])), part(s));

function longLength(r: Buffer, s: Buffer): Buffer {
  const content = Buffer.concat([part(r), part(s)]);
  return Buffer.concat([Buffer.of(0x30, 0x81, content.length), content]);
}
