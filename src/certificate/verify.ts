/**
 * Verifies a bundle: signature, manifest, digests, a rerun of the record, and every verdict computed again from that
 * rerun, in this order. Offline. The first contradiction is thrown as a `Disagreement`.
 */

import type { Choice, Suite } from '../run/requirement.ts';
import type { Results } from '../verdict/results.ts';
import {
  type Attested,
  type OpenedSignatureFile,
  readStatement,
  statementOf,
  type TrustedKeys,
} from './attestation.ts';
import { ATTESTATION, computed, MANIFEST, type Manifest } from './bundle.ts';
import {
  type BundleFile,
  bytesOf,
  canonicalJson,
  Disagreement,
  demandShape,
  type Entries,
  jsonIn,
  parseCanonical,
  RECORD_FILES,
  readRecord,
  sha256,
  textOf,
} from './bundle-files.ts';
import { conditionsOf, type Particulars } from './certification.ts';
import { nameProblem } from './names.ts';
import { rerunOf } from './rerun-check.ts';

/** What a verified bundle says. */
export interface Verified extends Pick<OpenedSignatureFile, 'signer' | 'programme'> {
  readonly outcome: Attested;
  readonly particulars: Particulars;
  readonly results: Results;
  readonly choices: readonly Choice[];
  /** Settings that narrowed the run or made it easier. */
  readonly conditions: readonly string[];
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

/** The manifest, which must be what was signed. */
function readManifest(entries: Entries, { statement }: OpenedSignatureFile, version: string): Manifest {
  demandShape('statement', statement, `the statement in ${ATTESTATION}`);
  const signed = (statement as Signed).subject[0].digest.sha256;
  const bytes = bytesOf(entries, MANIFEST);
  const found = sha256(bytes);
  if (signed !== found) throw new Disagreement(`${MANIFEST} has the digest ${found}, but ${signed} was signed`);
  const value = parseCanonical(textOf(bytes, MANIFEST), MANIFEST);
  demandVersion(value, version);
  demandShape('manifest', value, MANIFEST);
  return value as Manifest;
}

/** Before its schema: another version may have had another one. */
function demandVersion(manifest: unknown, version: string): void {
  const made = (manifest as Partial<Manifest> | null)?.suite?.version;
  if (typeof made !== 'string' || made === version) return;
  // Printed as part of a command.
  const name = /^[0-9A-Za-z.+-]{1,40}$/.test(made) ? made : JSON.stringify(made.slice(0, 40));
  throw new Disagreement(
    `the bundle was made by version ${name}, but this is ${version}: verify it with npx pcs-conformance@${name}`,
  );
}

/** The texts of the listed files. Nothing else in the folder is read, and nothing else may be there. */
function readListed(entries: Entries, { files }: Manifest): ReadonlyMap<string, string> {
  const names = files.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Disagreement(`${MANIFEST} lists a file twice`);
  for (const [name, { kind }] of entries) {
    if ([MANIFEST, ATTESTATION, ...names].includes(name as BundleFile)) continue;
    throw new Disagreement(`the ${kind} ${JSON.stringify(name)} is not listed in ${MANIFEST}`);
  }
  const texts = files.map(({ name, bytes: length, sha256: digest }) => {
    const data = bytesOf(entries, name);
    if (data.length !== length) {
      throw new Disagreement(`${name} has ${data.length} bytes, but ${MANIFEST} lists ${length}`);
    }
    const found = sha256(data);
    if (found !== digest) throw new Disagreement(`${name} has the digest ${found}, but ${MANIFEST} lists ${digest}`);
    return [name, textOf(data, name)] as const;
  });
  return new Map(texts);
}

function demandNames({ implementation }: Particulars): void {
  for (const member of ['name', 'version', 'vendor'] as const) {
    const problem = nameProblem(implementation[member]);
    if (problem !== null) throw new Disagreement(`the ${member} of the implementation ${problem}`);
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

const KIND_OF = { 'results.json': 'results', 'choices.json': 'choices' } as const;

function demandSame(text: string, name: string, expected: string): void {
  if (text === expected) return;
  const [value, kind] = [jsonIn(text), KIND_OF[name as keyof typeof KIND_OF]];
  if (kind !== undefined) demandShape(kind, value, name);
  const place = value === undefined ? null : firstDifference(value, jsonIn(expected));
  throw new Disagreement(`${name} does not follow from the recorded exchanges${place ? ` at ${place}` : ''}`);
}

/** Verifies a bundle with the public keys of those who signed it. Rejects with `Disagreement`. */
export async function verifyBundle(
  entries: Entries,
  keys: TrustedKeys,
  { version, suite }: Verifier,
): Promise<Verified> {
  const opened = readStatement(textOf(bytesOf(entries, ATTESTATION), ATTESTATION), ATTESTATION, keys);
  const manifest = readManifest(entries, opened, version);
  const texts = readListed(entries, manifest);
  const { format: _, files: listed, ...particulars } = manifest;
  demandNames(particulars);
  if (keys.nonce !== undefined && keys.nonce !== particulars.nonce)
    throw new Disagreement(`the nonce is ${particulars.nonce}, not ${keys.nonce}`);
  const textIn = (name: string): string => {
    const text = texts.get(name);
    if (text === undefined) throw new Disagreement(`${name} is missing`);
    return text;
  };
  const record = await rerunOf(readRecord(textIn), particulars, suite);
  const { results, choices, outcome, files } = computed(record, particulars);
  for (const [name, text] of files) demandSame(textIn(name), name, text);
  const known: readonly string[] = [...RECORD_FILES, ...files.map(([name]) => name)];
  const extra = listed.find(({ name }) => !known.includes(name));
  if (extra !== undefined) throw new Disagreement(`${extra.name} does not belong in a bundle with this outcome`);
  if (outcome.kind !== 'attested') throw new Disagreement(`the run is ${outcome.kind}: ${outcome.reason}`);
  const conditions = conditionsOf(record);
  const expected = statementOf(`${canonicalJson(manifest)}\n`, particulars, results, outcome, conditions);
  if (canonicalJson(opened.statement) !== canonicalJson(expected)) {
    const place = firstDifference(opened.statement, expected);
    throw new Disagreement(`the signed statement does not follow from the recorded exchanges at ${place}`);
  }
  const { signer, programme } = opened;
  const exchanges = record.exchanges.length;
  return { outcome, particulars, results, choices, conditions, exchanges, signer, programme };
}
