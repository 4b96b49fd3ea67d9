/** Certifications of the reference service in this process. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { fingerprintOf, newKeyPair, signStatement, statementOf } from '../../../src/certificate/attestation.ts';
import { type Bundle, makeBundle } from '../../../src/certificate/bundle.ts';
import {
  ATTESTATION,
  type Certification,
  type Entries,
  MANIFEST,
  type Manifest,
} from '../../../src/certificate/bundle-files.ts';
import { certifyingOptions } from '../../../src/certificate/certification.ts';
import { type Verified, verifyBundle } from '../../../src/certificate/verify.ts';
import type { Clock } from '../../../src/client/client-options.ts';
import { OPERATION_IDS, type OperationId } from '../../../src/contract/operations.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { judge, optionsFrom, skippingClock } from '../../selftest/harness.ts';

/** The version of the suite in the harness. */
export const VERSION = '0.0.0';

export const NONCE = '00112233445566778899aabbccddeeff';

/** Both halves of a new key. */
export function newKeys(): { readonly own: KeyObject; readonly known: KeyObject } {
  const { privateKey, publicKey } = newKeyPair();
  return { own: createPrivateKey(privateKey), known: createPublicKey(publicKey) };
}

export const IMPLEMENTATION = { name: 'Reference', version: '1.2.3', vendor: 'Example Communications' };

/** Options as a certification with that nonce has them. */
export function certifyingWith(options: RunOptions, nonce: string): RunOptions {
  return certifyingOptions(options, { nonce, implementation: IMPLEMENTATION }, VERSION);
}

/** The options of a certification of the reference. */
export function certifying(nonce: string, changes: Partial<RunOptions> = {}): RunOptions {
  return { ...certifyingWith({ ...optionsFrom(createReference().settings), ...changes }, nonce), ...changes };
}

/** What a certification of a service with these options is made of. */
export async function certificationOf(
  service: Service,
  options: RunOptions,
  nonce: string = NONCE,
  clock: Clock = skippingClock(),
): Promise<Certification> {
  const { record } = await judge(service, options, clock);
  return { record, implementation: IMPLEMENTATION, nonce, time: '2026-01-31T12:00:00.000Z' };
}

let plain: Promise<Certification> | undefined;

/** What a certification of the reference is made of; without changes it is made once. */
export function certification(
  nonce: string = NONCE,
  changes?: Partial<RunOptions>,
  wrap?: (service: Service) => Service,
): Promise<Certification> {
  const make = (): Promise<Certification> => {
    const { service } = createReference();
    return certificationOf(wrap?.(service) ?? service, certifying(nonce, changes), nonce);
  };
  if (nonce !== NONCE || changes !== undefined || wrap !== undefined) return make();
  plain ??= make();
  return plain;
}

/** The bundle as a forger makes it: signed as conformant with the true key, also where `certify` would not sign it. */
export function signedAnyway(certification: Certification, key: KeyObject): Bundle {
  const made = makeBundle(certification, key);
  if (made.outcome.kind === 'attested') return made;
  const manifest: Manifest = JSON.parse(made.files.get(MANIFEST) ?? '');
  const outcome = { kind: 'attested', outcome: 'conformant', reason: made.results.reason } as const;
  const statement = statementOf(manifest, made.results, outcome, fingerprintOf(key));
  return { ...made, files: new Map([...made.files, [ATTESTATION, signStatement(statement, key)]]) };
}

/** The contents of files by name. */
export type Bytes = ReadonlyMap<string, Uint8Array>;

/** Bytes as the entries of a folder. */
export function entriesOf(bytes: Bytes): Entries {
  return new Map([...bytes].map(([name, data]) => [name, { kind: 'file', read: () => data }]));
}

/** Verifies the bytes of a bundle with the key of its signer. */
export function verified(bytes: Bytes, key: KeyObject, version = VERSION): Promise<Verified> {
  return verifyBundle(entriesOf(bytes), { signer: key }, version);
}

/** The bundle as bytes. */
export function bytesOf({ files }: Pick<Bundle, 'files'>): Bytes {
  return new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
}

/** All operations but these: a run without them is quick. */
export const allBut = (...kept: readonly OperationId[]) => OPERATION_IDS.filter((id) => !kept.includes(id));

/** A signed bundle of two operations. */
export async function narrowBundle(key: KeyObject): Promise<Bundle> {
  return makeBundle(await certification(NONCE, { without: allBut('listTrunks', 'getTrunk') }), key);
}
