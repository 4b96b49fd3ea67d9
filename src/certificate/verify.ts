/**
 * Verifies a bundle: signature, digests, completeness, and every verdict computed again from the recorded exchanges.
 * Offline and pure; the first thing that does not agree is thrown as a `Disagreement`.
 */

import type { KeyObject } from 'node:crypto';
import { schemaProblem } from '../regression/schemas.ts';
import type { Suite } from '../run/plan.ts';
import { evaluate } from '../verdict/evaluate.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { ATTESTATION, computed, MANIFEST, type Manifest, plainFile, settingsOf } from './bundle.ts';
import { type Bytes, textOf } from './bytes.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { catalogueOf } from './catalogue.ts';
import { type Outcome, outcomeOf, type Particulars } from './certification.ts';
import { demandComplete } from './completeness.ts';
import { Disagreement } from './disagreement.ts';
import { canonicalValue, openEnvelope } from './envelope.ts';
import { readRecord } from './recorded.ts';
import { statementOf } from './statement.ts';

/** What a bundle says that agrees with itself. */
export interface Verified {
  readonly outcome: Extract<Outcome, { readonly kind: 'attested' }>;
  readonly particulars: Particulars;
  readonly results: Results;
  readonly exchanges: number;
}

interface Signed {
  readonly subject: readonly [{ readonly digest: { readonly sha256: string } }];
}

/** The statement that was signed, which must be about this manifest. */
function openStatement(bytes: Bytes, key: KeyObject): unknown {
  const statement = openEnvelope(textOf(bytes, ATTESTATION), ATTESTATION, key);
  const problem = schemaProblem('statement', statement);
  if (problem !== null)
    throw new Disagreement(`the statement in ${ATTESTATION} does not keep to its schema: ${problem}`);
  const signed = (statement as Signed).subject[0].digest.sha256;
  const found = sha256(bytes.get(MANIFEST) ?? '');
  if (signed !== found) throw new Disagreement(`${MANIFEST} has the digest ${found}, and ${signed} was signed`);
  return statement;
}

function readManifest(bytes: Bytes, version: string): Manifest {
  const value = canonicalValue(textOf(bytes, MANIFEST), MANIFEST);
  const problem = schemaProblem('manifest', value);
  if (problem !== null) throw new Disagreement(`${MANIFEST} does not keep to its schema: ${problem}`);
  const manifest = value as Manifest;
  if (manifest.suite.version !== version) {
    throw new Disagreement(
      `the bundle was made by version ${manifest.suite.version}, and this is ${version}: verify with that one`,
    );
  }
  const own = catalogueOf(version);
  if (canonicalJson(manifest.catalogue) !== canonicalJson(own)) {
    throw new Disagreement(
      `the catalogue of the bundle is ${manifest.catalogue.sha256}, and this suite's is ${own.sha256}`,
    );
  }
  return manifest;
}

function demandDigests(bytes: Bytes, { files }: Manifest): void {
  const names = files.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Disagreement(`${MANIFEST} lists a file twice`);
  const stranger = [...bytes.keys()].find((name) => ![MANIFEST, ATTESTATION, ...names].includes(name));
  if (stranger !== undefined) throw new Disagreement(`${stranger} is not listed in ${MANIFEST}`);
  for (const { name, bytes: length, sha256: digest } of files) {
    const data = bytes.get(name);
    if (data === undefined) throw new Disagreement(`${name} is listed in ${MANIFEST} and missing`);
    if (data.length !== length)
      throw new Disagreement(`${name} has ${data.length} bytes, and ${MANIFEST} says ${length}`);
    const found = sha256(data);
    if (found !== digest) throw new Disagreement(`${name} has the digest ${found}, and ${MANIFEST} says ${digest}`);
  }
}

/** The first place in which two JSON values differ, as a JSON Pointer. */
function firstDifference(a: unknown, b: unknown, at = ''): string {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return at;
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (canonicalJson(left[name] ?? null) === canonicalJson(right[name] ?? null)) continue;
    return firstDifference(left[name], right[name], `${at}/${name}`);
  }
  return at;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Throws unless a file is, to the byte, what follows from the record. */
function demandSame(bytes: Bytes, name: string, expected: string): void {
  const text = textOf(bytes, name);
  if (text === expected) return;
  const place = name.endsWith('.json') ? firstDifference(jsonOf(text), jsonOf(expected)) : '';
  const where = place === '' ? '' : ` at ${place}`;
  throw new Disagreement(`${name} is not what follows from the recorded exchanges${where}`);
}

function demandComputed(bytes: Bytes, record: RunRecord, manifest: Manifest): { results: Results; outcome: Outcome } {
  const results = evaluate(record);
  const outcome = outcomeOf(results);
  const { format: _, files, ...particulars } = manifest;
  const follows = computed(record, results, outcome, particulars);
  for (const [name, text] of follows) demandSame(bytes, name, text);
  demandSame(bytes, 'settings.json', plainFile(settingsOf(record)));
  const known = [...follows.map(([name]) => name), 'plan.json', 'settings.json', 'record.json', 'exchanges.ndjson'];
  const stranger = files.find(({ name }) => !known.includes(name));
  if (stranger !== undefined) throw new Disagreement(`${stranger.name} does not belong into a bundle of this outcome`);
  return { results, outcome };
}

/** What the verifying suite is: its version, and the suites that it plans with. */
export interface Verifier {
  readonly version: string;
  readonly suites: readonly Suite[];
}

/** Verifies a bundle with the public key of its signer. Throws `Disagreement`. */
export function verifyBundle(bytes: Bytes, key: KeyObject, { version, suites }: Verifier): Verified {
  const statement = openStatement(bytes, key);
  const manifest = readManifest(bytes, version);
  demandDigests(bytes, manifest);
  const { record, sequences } = readRecord(bytes);
  demandComplete(record, sequences, manifest, suites);
  const { results, outcome } = demandComputed(bytes, record, manifest);
  if (outcome.kind !== 'attested') throw new Disagreement(`the run is ${outcome.kind}: ${outcome.reason}`);
  const { format: _, files: __, ...particulars } = manifest;
  const expected = statementOf(textOf(bytes, MANIFEST), particulars, results, outcome);
  const place = firstDifference(statement, expected);
  if (canonicalJson(statement) !== canonicalJson(expected)) {
    throw new Disagreement(`the signed statement is not what follows from the recorded exchanges at ${place}`);
  }
  return { outcome, particulars, results, exchanges: record.exchanges.length };
}
