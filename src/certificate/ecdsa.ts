/** An ECDSA signature over P-256 written in one way only: of `s` and `n - s`, which both verify, the lower; in DER. */

/** Order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const INTEGER = 0x02;
const SEQUENCE = 0x30;

/** Bytes of one half of a signature in which both halves have their full length (IEEE P1363). */
const HALF = 32;

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
}

/** A positive integer in DER: as few bytes as it takes, the first below 128. */
function integer(value: bigint): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const content = (bytes[0] ?? 0) < 128 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
  return Buffer.concat([Buffer.of(INTEGER, content.length), content]);
}

function derOf(r: bigint, s: bigint): Buffer {
  const content = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.of(SEQUENCE, content.length), content]);
}

const lower = (s: bigint): bigint => (s > ORDER / 2n ? ORDER - s : s);

/** The one form of a signature that is given as `r` and `s` of full length. */
export function oneForm(signature: Uint8Array): Buffer {
  return derOf(numberOf(signature.subarray(0, HALF)), lower(numberOf(signature.subarray(HALF))));
}

/** Whether a signature is in its one form: whoever changes it without the key is found out. */
export function isOneForm(signature: Uint8Array): boolean {
  // Read where the one form has its parts; whatever is written otherwise is not what comes of writing them again.
  const atS = 4 + (signature[3] ?? 0);
  const r = numberOf(signature.subarray(4, atS));
  const s = numberOf(signature.subarray(atS + 2));
  return derOf(r, lower(s)).equals(signature);
}
