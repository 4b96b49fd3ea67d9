/**
 * Verifies a bundle: signature, digests, a rerun of the record, and every verdict computed again from that rerun.
 * Offline. The first contradiction is thrown as a `Disagreement`.
 */

import type { KeyObject } from 'node:crypto';
import { schemaProblem } from '../regression/own-files.ts';
import type { Suite } from '../run/requirement.ts';
import type { Results } from '../verdict/results.ts';
import { type Attested, readStatement, statementOf } from './attestation.ts';
import { ATTESTATION, computed, MANIFEST, type Manifest } from './bundle.ts';
import { type Bytes, canonicalJson, Disagreement, jsonIn, parseCanonical, sha256, textOf } from './bundle-files.ts';
import type { Particulars } from './certification.ts';
import { RECORD_FILES, readRecord, settingsFile } from './record-files.ts';
import { rerunOf } from './rerun-check.ts';

/** What a verified bundle says. */
export interface Verified {
  readonly outcome: Attested;
  readonly particulars: Particulars;
  readonly results: Results;
  readonly exchanges: number;
}

/** The suite that verifies. */
export interface Verifier {
  readonly version: string;
  readonly suite: Suite;
}

interface Signed {
  readonly subject: readonly [{ readonly digest: { readonly sha256: string } }];
}

/** The signed statement, which must be about this manifest. */
function openStatement(bytes: Bytes, key: KeyObject): unknown {
  const statement = readStatement(textOf(bytes, ATTESTATION), ATTESTATION, key);
  const problem = schemaProblem('statement', statement);
  if (problem !== null) throw new Disagreement(`the statement in ${ATTESTATION} does not match its schema: ${problem}`);
  const signed = (statement as Signed).subject[0].digest.sha256;
  const found = sha256(bytes.get(MANIFEST) ?? '');
  if (signed !== found) throw new Disagreement(`${MANIFEST} has the digest ${found}, but ${signed} was signed`);
  return statement;
}

function readManifest(bytes: Bytes, version: string): Manifest {
  const manifest = parseCanonical(textOf(bytes, MANIFEST), MANIFEST) as Manifest;
  const problem = schemaProblem('manifest', manifest);
  if (problem !== null) throw new Disagreement(`${MANIFEST} does not match its schema: ${problem}`);
  const made = manifest.suite.version;
  if (made === version) return manifest;
  throw new Disagreement(`the bundle was made by version ${made}, but this is ${version}: verify it with ${made}`);
}

function demandDigests(bytes: Bytes, { files }: Manifest): void {
  const names = files.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Disagreement(`${MANIFEST} lists a file twice`);
  const unlisted = [...bytes.keys()].find((name) => ![MANIFEST, ATTESTATION, ...names].includes(name));
  if (unlisted !== undefined) throw new Disagreement(`${unlisted} is not listed in ${MANIFEST}`);
  for (const { name, bytes: length, sha256: digest } of files) {
    const data = bytes.get(name);
    if (data === undefined) throw new Disagreement(`${name} is listed in ${MANIFEST} but missing`);
    if (data.length !== length) {
      throw new Disagreement(`${name} has ${data.length} bytes, but ${MANIFEST} lists ${length}`);
    }
    const found = sha256(data);
    if (found !== digest) throw new Disagreement(`${name} has the digest ${found}, but ${MANIFEST} lists ${digest}`);
  }
}

/** The first place where two JSON values differ, as a JSON Pointer, or `null`. */
function firstDifference(a: unknown, b: unknown, at = ''): string | null {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? null : at;
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const place = firstDifference(left[name], right[name], `${at}/${name}`);
    if (place !== null) return place;
  }
  return null;
}

function demandSame(bytes: Bytes, name: string, expected: string): void {
  const text = textOf(bytes, name);
  if (text === expected) return;
  const place = name.endsWith('.json') ? firstDifference(jsonIn(text), jsonIn(expected)) : null;
  throw new Disagreement(`${name} does not follow from the recorded exchanges${place ? ` at ${place}` : ''}`);
}

/** Verifies a bundle with the public key of its signer. Rejects with `Disagreement`. */
export async function verifyBundle(bytes: Bytes, key: KeyObject, { version, suite }: Verifier): Promise<Verified> {
  const statement = openStatement(bytes, key);
  const manifest = readManifest(bytes, version);
  demandDigests(bytes, manifest);
  const { format: _, files: listed, ...particulars } = manifest;
  const record = await rerunOf(readRecord(bytes), particulars, suite);
  demandSame(bytes, 'settings.json', settingsFile(record));
  const { results, outcome, files } = computed(record, particulars);
  for (const [name, text] of files) demandSame(bytes, name, text);
  const known = [...RECORD_FILES, ...files.map(([name]) => name)];
  const extra = listed.find(({ name }) => !known.includes(name));
  if (extra !== undefined) throw new Disagreement(`${extra.name} does not belong in a bundle with this outcome`);
  if (outcome.kind !== 'attested') throw new Disagreement(`the run is ${outcome.kind}: ${outcome.reason}`);
  const expected = statementOf(textOf(bytes, MANIFEST), particulars, results, outcome);
  if (canonicalJson(statement) !== canonicalJson(expected)) {
    const place = firstDifference(statement, expected);
    throw new Disagreement(`the signed statement does not follow from the recorded exchanges at ${place}`);
  }
  return { outcome, particulars, results, exchanges: record.exchanges.length };
}
