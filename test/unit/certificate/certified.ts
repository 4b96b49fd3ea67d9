/** A certification of the reference service in this process, as the tests of the gate take it apart. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Service } from '../../../fixtures/service/types.ts';
import { type Bundle, makeBundle } from '../../../src/certificate/bundle.ts';
import type { Bytes } from '../../../src/certificate/bytes.ts';
import { type Certification, plannedSequence } from '../../../src/certificate/certification.ts';
import { type Algorithm, newKeyPair } from '../../../src/certificate/keys.ts';
import { seedOf } from '../../../src/certificate/nonce.ts';
import type { Clock } from '../../../src/client/pacing.ts';
import { OPERATION_IDS } from '../../../src/contract/operations.ts';
import { Kit } from '../../../src/run/kit.ts';
import { drawnOrder } from '../../../src/run/lanes.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { planRun } from '../../../src/run/plan.ts';
import { judge, optionsFrom, skippingClock } from '../../../src/selftest/harness.ts';
import { SUITES } from '../../../suites/index.ts';

/** The version that the judging harness gives the suite. */
export const VERSION = '0.0.0';

/** The suite that verifies. */
export const VERIFIER = { version: VERSION, suites: SUITES };

export const NONCE = '00112233445566778899aabbccddeeff';

/** Both halves of a new key. */
export function newKeys(algorithm: Algorithm = 'ed25519'): { readonly own: KeyObject; readonly known: KeyObject } {
  const { privateKey, publicKey } = newKeyPair(algorithm);
  return { own: createPrivateKey(privateKey), known: createPublicKey(publicKey) };
}

/** Options as a certification with that nonce has them. */
export function certifyingWith(options: RunOptions, nonce: string): RunOptions {
  return { ...options, seed: seedOf(nonce), caseHeader: false, drawnOrder: true };
}

/** The options of a certification of the reference. */
export function certifying(nonce: string, changes: Partial<RunOptions> = {}): RunOptions {
  return { ...certifyingWith(optionsFrom(createReference().settings), nonce), ...changes };
}

/** What a certification of a service with these options is made of. */
export async function certificationOf(
  service: Service,
  options: RunOptions,
  nonce: string = NONCE,
  clock: Clock = skippingClock(),
): Promise<Certification> {
  const { record } = await judge(service, options, clock);
  const kit = new Kit(options, '');
  const sequences = drawnOrder(planRun(SUITES, kit).sequences, kit).map(plannedSequence);
  const implementation = { name: 'Reference', version: '1.2.3', vendor: 'Example Communications' };
  return { record, sequences, implementation, nonce, time: '2026-01-31T12:00:00.000Z' };
}

/** What a certification of the reference is made of. */
export function certification(
  nonce: string = NONCE,
  changes: Partial<RunOptions> = {},
  wrap: (service: Service) => Service = (service) => service,
): Promise<Certification> {
  return certificationOf(wrap(createReference().service), certifying(nonce, changes), nonce);
}

/** The bundle as it lies on the disk. */
export function bytesOf({ files }: Pick<Bundle, 'files'>): Bytes {
  return new Map([...files].map(([name, text]) => [name, Buffer.from(text)]));
}

/** A bundle of the reference, signed. */
export async function referenceBundle(key: KeyObject): Promise<Bundle> {
  return makeBundle(await certification(), key);
}

/** A signed bundle of two operations alone. */
export async function narrowBundle(key: KeyObject): Promise<Bundle> {
  const without = OPERATION_IDS.filter((id) => id !== 'listTrunks' && id !== 'getTrunk');
  return makeBundle(await certification(NONCE, { without }), key);
}
