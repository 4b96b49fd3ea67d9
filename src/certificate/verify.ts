/**
 * Verifies a bundle: signature, manifest, digests, a rerun of the record, and every verdict computed again from that
 * rerun, in this order. Offline. The first contradiction is thrown as a `Disagreement`.
 * The reasons are in docs/design/certificates.md.
 */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { SUITE } from '../../suites/index.ts';
import { READ } from '../contract/limits.ts';
import { picked } from '../contract/lists.ts';
import type { SkipCause } from '../contract/skipped.ts';
import { canonicalJson } from '../exchange/digest.ts';
import { parsedJson } from '../exchange/json-text.ts';
import { RecordMismatch, rerun } from '../run/rerun.ts';
import type { RunRecord } from '../verdict/record.ts';
import { readStatement, statementOf, type Trusted } from './attestation.ts';
import { type Bundle, computed, makeBundle } from './bundle.ts';
import {
  type BundledRecord,
  type Certification,
  Disagreement,
  demand,
  type Entries,
  type Particulars,
  readBundledRecord,
  readListed,
  readManifest,
} from './bundle-files.ts';
import { catalogueOf, drawOf, saidOf, seedOf } from './certification.ts';

/** What a verified bundle says. */
export type Verified = Awaited<ReturnType<typeof verifyBundle>>;

/** What follows from the bundle itself. */
function verifiedFacts({ particulars, results, signer, programme, manifest }: Verified) {
  const { suite, catalogue, nonce } = particulars;
  const { counts, questions } = results;
  return {
    suite: `${suite.name} ${suite.version}`,
    catalogue: catalogue.sha256,
    ...{ nonce, ...saidOf(results), ...picked(counts, ['requests', 'calls', 'cases']), questions },
    ...{ signer, programme, manifest },
  };
}

/** What a verified bundle shows; `stated` is what only the signer vouches for. */
export function verificationOf(bundle: string, verified: Verified) {
  const { implementation, time, run } = verified.particulars;
  const stated = { implementation, target: verified.results.target, time, ...(run && { run }) };
  return { bundle, outcome: verified.outcome.outcome, verified: verifiedFacts(verified), stated };
}

/** Whether a bundle is verified, and what it shows. */
export type Verification = Awaited<ReturnType<typeof openVerified>>['verification'];

/** The first place where two JSON values differ, as a JSON Pointer, or `null`. */
function firstDifference(a: unknown, b: unknown, at = ''): string | null {
  const [left, right] = [Object(a), Object(b)];
  if (left !== a || right !== b) return a === b ? null : at;
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const place = firstDifference(left[name], right[name], `${at}/${name}`);
    if (place !== null) return place;
  }
  return null;
}

function demandSameText(text: string, name: string, expected: string): void {
  if (text === expected) return;
  demand(
    text.length <= 2 * expected.length + READ.text,
    `${name} does not follow from the recorded exchanges: it has ${text.length} characters, and ${expected.length} follow`,
  );
  const place = firstDifference(parsedJson(text), parsedJson(expected));
  throw new Disagreement(`${name} does not follow from the recorded exchanges${place ? ` at ${place}` : ''}`);
}

/** Causes that keep a run from asking everything; an operation that hangs is a failure of the target instead. */
const CUTS: readonly SkipCause[] = ['limit', 'stopped', 'claimed'];

function demandParticulars(record: BundledRecord, particulars: Particulars): void {
  const { header, inputs, skipped } = record;
  const { suite, catalogue } = particulars;
  const ours = catalogueOf(suite.version);
  demand(catalogue.sha256 === ours.sha256, `the catalogue is ${catalogue.sha256}, and this suite has ${ours.sha256}`);
  demand(catalogue.version === ours.version, `the catalogue names version ${JSON.stringify(catalogue.version)}`);
  const cut = skipped.find(({ why }) => CUTS.includes(why));
  demand(cut === undefined, `the sequence "${cut?.sequence}" was not sent: ${cut?.reason}`);
  const isSameSuite = canonicalJson(header.suite) === canonicalJson(suite);
  demand(isSameSuite, 'record.json and manifest.json name different suites');
  const draw = drawOf(particulars, record);
  const isDrawn = header.seed === seedOf(draw) && inputs.drawnOrder === draw;
  demand(isDrawn, `seed (${header.seed}) and order do not follow from the nonce, the implementation and the settings`);
}

/** The record of the rerun. Throws `Disagreement` if it differs. */
export async function rerunOf(record: BundledRecord, particulars: Particulars): Promise<RunRecord> {
  demandParticulars(record, particulars);
  try {
    return await rerun(record, SUITE);
  } catch (error) {
    if (error instanceof RecordMismatch) throw new Disagreement(`run again, the record differs: ${error.message}`);
    // No request can be made from some ids and addresses that a record may hold.
    throw new Disagreement(`the record cannot be run again: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Verifies a bundle with its signers' public keys; its manifest has that SHA-256. Rejects with `Disagreement`. */
export async function verifyBundle(entries: Entries, keys: Trusted, version: string) {
  const opened = readStatement(entries, keys);
  const [{ digest }] = opened.statement.subject;
  const manifest = readManifest(entries, digest.sha256, version);
  const texts = readListed(entries, manifest);
  const { format: _, files: __, ...particulars } = manifest;
  const { nonce } = particulars;
  demand((keys.nonce ?? nonce) === nonce, `the nonce is ${nonce}, not ${keys.nonce}`);
  const take = (name: string): string => {
    const text = texts.get(name);
    demand(text !== undefined, `${name} is missing`);
    texts.delete(name);
    return text;
  };
  const record = await rerunOf(readBundledRecord(take), particulars);
  const made = computed(record, particulars);
  for (const [name, text] of made.files) demandSameText(take(name), name, text);
  const [extra] = texts.keys();
  demand(extra === undefined, `${extra} does not belong in a bundle with this outcome`);
  const { results, outcome } = made;
  demand(outcome.kind === 'attested', `the run is ${outcome.kind}: ${outcome.reason}`);
  const { statement, signer, programme } = opened;
  const expected = statementOf(manifest, results, outcome, signer.keyid);
  demand(
    canonicalJson(statement) === canonicalJson(expected),
    `the signed statement does not follow from the recorded exchanges at ${firstDifference(statement, expected)}`,
  );
  return { outcome, particulars, results, signer, programme, manifest: digest.sha256 };
}

/**
 * Verifies a bundle; `bundle` is the name under which it is reported, and `verified` its contents if it is verified.
 * Never rejects because of those contents.
 */
export async function openVerified(bundle: string, entries: Entries, keys: Trusted, version: string) {
  try {
    const verified = await verifyBundle(entries, keys, version);
    return { verification: verificationOf(bundle, verified), verified };
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return { verification: { bundle, outcome: 'not verifiable' as const, problem: error.message }, verified: null };
  }
}

/**
 * Makes the bundle as `certify` does: it is verified before the final signature, so what `verify` would reject is not
 * signed.
 */
export async function certifiedBundle(certification: Certification, key: KeyObject): Promise<Bundle> {
  const made = makeBundle(certification, key);
  if (made.outcome.kind !== 'attested') return made;
  const entries: Entries = new Map(
    [...made.files].map(([name, text]) => [name, { kind: 'file', read: () => Buffer.from(text) }]),
  );
  try {
    await verifyBundle(entries, { signer: createPublicKey(key) }, certification.record.header.suite.version);
    return made;
  } catch (error) {
    if (error instanceof Disagreement) return makeBundle(certification, key, error.message);
    throw error;
  }
}
