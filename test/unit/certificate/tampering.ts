/** Ways to change a bundle, and the sentence with which it is rejected. */

import type { KeyObject } from 'node:crypto';
import { signStatement } from '../../../src/certificate/attestation.ts';
import { ATTESTATION, Disagreement, MANIFEST, type Manifest } from '../../../src/certificate/bundle-files.ts';
import { canonicalJson, sha256 } from '../../../src/exchange/digest.ts';
import { type Bytes, verified } from './certified.ts';

/** Why a bundle is rejected, or `null` if it is verified. */
export async function rejectionOf(bytes: Bytes, key: KeyObject): Promise<string | null> {
  try {
    await verified(bytes, key);
    return null;
  } catch (error) {
    if (error instanceof Disagreement) return error.message;
    throw error;
  }
}

/** The files with these edits by the holder of the key: correct digests, and the statement signed again. */
export function signedAgain(
  files: ReadonlyMap<string, string>,
  edits: Readonly<Record<string, string | Uint8Array>>,
  key: KeyObject,
  statementEdit: (statement: object) => unknown = (same) => same,
): Bytes {
  const manifest: Manifest = JSON.parse(files.get(MANIFEST) ?? '');
  const listed = manifest.files.map((one) => {
    const data = edits[one.name];
    return data === undefined ? one : { name: one.name, bytes: Buffer.byteLength(data), sha256: sha256(data) };
  });
  const again = edits[MANIFEST] ?? `${canonicalJson({ ...manifest, files: listed })}\n`;
  const statement = JSON.parse(Buffer.from(JSON.parse(files.get(ATTESTATION) ?? '').payload, 'base64').toString());
  const about = { ...statement, subject: [{ name: MANIFEST, digest: { sha256: sha256(again) } }] };
  const signed = { [MANIFEST]: again, [ATTESTATION]: signStatement(statementEdit(about), key), ...edits };
  return new Map([...files, ...Object.entries(signed)].map(([name, data]) => [name, Buffer.from(data)]));
}

/** One scalar of each shape of each JSON file changed: the changed bundle, and where. */
export function* fieldChanges(bytes: Bytes): Generator<{ readonly place: string; readonly changedBytes: Bytes }> {
  for (const [name, data] of bytes) {
    if (!/json$/.test(name)) continue;
    const text = Buffer.from(data).toString();
    // Lines, or one value.
    const parts = name.endsWith('.ndjson') ? text.trimEnd().split('\n') : [text];
    const values: readonly unknown[] = parts.map((part) => JSON.parse(part));
    for (const pointer of leavesOf(values)) {
      const [, at = '', ...rest] = pointer.split('/');
      const edited = JSON.stringify(changed(values[Number(at)], rest.map((step) => `/${step}`).join('')));
      const changedText = parts.with(Number(at), edited).join('\n');
      yield { place: `${name}${pointer}`, changedBytes: new Map([...bytes, [name, Buffer.from(changedText)]]) };
    }
  }
}

/** The files with one byte of one of them changed; `by` is 1 to 255. */
export function changedAt(bytes: Bytes, name: string, at: number, by: number): Bytes {
  const copy = Uint8Array.from(bytes.get(name) ?? []);
  copy[at] = (copy[at] ?? 0) ^ by;
  return new Map([...bytes, [name, copy]]);
}

/** Where the first scalar of each shape stands in a JSON value; a shape is the pointer with every index written `-`. */
export function leavesOf(value: unknown): readonly string[] {
  const leaves = new Map<string, string>();
  const walk = (at: unknown, pointer: string, shape: string): void => {
    if (typeof at !== 'object' || at === null) {
      if (!leaves.has(shape)) leaves.set(shape, pointer);
      return;
    }
    for (const [name, member] of Object.entries(at)) {
      walk(member, `${pointer}/${name}`, `${shape}/${Array.isArray(at) ? '-' : name}`);
    }
  };
  walk(value, '', '');
  return [...leaves.values()];
}

function another(scalar: unknown): unknown {
  if (typeof scalar === 'number') return scalar + 1;
  if (typeof scalar === 'boolean') return !scalar;
  return scalar === null ? 'something' : `${scalar}x`;
}

/** A copy of a JSON value in which the scalar at a pointer is another one. */
export function changed(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  const [step, ...rest] = steps;
  if (step === undefined) return another(value);
  const below = `${rest.map((one) => `/${one}`).join('')}`;
  if (Array.isArray(value)) return value.map((member, at) => (String(at) === step ? changed(member, below) : member));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, name === step ? changed(member, below) : member]),
  );
}
