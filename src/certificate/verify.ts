/**
 * Verifies a bundle: signature, manifest, digests, a rerun of the record, and every verdict computed again from that
 * rerun, in this order. Offline. The first contradiction is thrown as a `Disagreement`.
 */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { parsedJson } from '../exchange/json-text.ts';
import { durationOf } from '../report/model.ts';
import { cut } from '../report/text.ts';
import { type Attested, readStatement, type SignedStatement, statementOf, type TrustedKeys } from './attestation.ts';
import { type Bundle, computed, type Manifest, makeBundle } from './bundle.ts';
import {
  ATTESTATION,
  type BundledRecord,
  bytesOf,
  canonicalJson,
  Disagreement,
  demand,
  demandShape,
  type Entries,
  MANIFEST,
  parseCanonical,
  readRecord,
  sha256,
  textOf,
} from './bundle-files.ts';
import { type Certification, drawOf, type Particulars } from './certification.ts';
import { nameProblem } from './names.ts';
import { rerunOf } from './rerun-check.ts';
import { demandWitnessed, type Witnessed } from './witness.ts';

/** What a verified bundle says. */
export interface Verified
  extends Pick<Bundle, 'results' | 'choices' | 'conditions'>,
    Pick<SignedStatement, 'signer' | 'programme'> {
  readonly outcome: Attested;
  readonly particulars: Particulars;
  /** SHA-256 of manifest.json. */
  readonly manifest: string;
  /** When the witness saw the run; `null` if it had none. */
  readonly witness: Witnessed | 'unchecked' | null;
}

/** The manifest, which must be what was signed. */
function readManifest(entries: Entries, { statement }: SignedStatement, version: string): Manifest {
  const [{ digest }] = statement.subject;
  const bytes = bytesOf(entries, MANIFEST);
  const found = sha256(bytes);
  demand(digest.sha256 === found, `${MANIFEST} has the digest ${found}, but ${digest.sha256} was signed`);
  const manifest = parseCanonical(textOf(bytes, MANIFEST), MANIFEST) as Manifest;
  // Before its schema: another version may have had another one. It is named and not recommended: it may be an old one.
  const made: unknown = manifest?.suite?.version;
  demand(
    typeof made !== 'string' || made === version,
    `the bundle was made by version ${JSON.stringify(cut(String(made), 40))} of this package, and this is ${version}: only the same version can verify it; if your programme does not accept that one, ask for a new certification`,
  );
  demandShape('manifest', manifest, MANIFEST);
  return manifest;
}

/** The texts of the listed files. Nothing else in the folder is read, and nothing else may be there. */
function readListed(entries: Entries, { files }: Manifest): Map<string, string> {
  const names = files.map(({ name }) => name);
  demand(new Set(names).size === names.length, `${MANIFEST} lists a file twice`);
  for (const [name, { kind }] of entries) {
    const isListed = [MANIFEST, ATTESTATION, ...names].includes(name);
    demand(isListed, `the ${kind} ${JSON.stringify(name)} is not listed in ${MANIFEST}`);
  }
  const texts = files.map(({ name, bytes: length, sha256: digest }) => {
    const data = bytesOf(entries, name);
    demand(data.length === length, `${name} has ${data.length} bytes, but ${MANIFEST} lists ${length}`);
    const found = sha256(data);
    demand(found === digest, `${name} has the digest ${found}, but ${MANIFEST} lists ${digest}`);
    return [name, textOf(data, name)] as const;
  });
  return new Map(texts);
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

/** A longer text is not read for the first difference: as a value it takes many times its bytes. */
const MUCH_LONGER = 65_536;

function demandSame(text: string, name: string, expected: string): void {
  if (text === expected) return;
  demand(
    text.length <= 2 * expected.length + MUCH_LONGER,
    `${name} does not follow from the recorded exchanges: it has ${text.length} characters, and ${expected.length} follow`,
  );
  const value = parsedJson(text);
  const place = value === undefined ? null : firstDifference(value, parsedJson(expected));
  throw new Disagreement(`${name} does not follow from the recorded exchanges${place ? ` at ${place}` : ''}`);
}

/** What the log of the witness shows of the run, if it is given. Throws `Disagreement`. */
function witnessedIn(log: string | undefined, record: BundledRecord, particulars: Particulars): Verified['witness'] {
  const { witness, time } = particulars;
  if (log === undefined) return witness === undefined ? null : 'unchecked';
  demand(witness !== undefined, 'the run was not given to a witness: certify with --witness');
  const { exchanges } = record;
  const [draw, startedAt] = [drawOf(particulars, record), Date.parse(time) - durationOf(exchanges)];
  return demandWitnessed(log, { salt: witness.salt, draw, exchanges, startedAt });
}

/** Verifies a bundle with the public keys of those who signed it. Rejects with `Disagreement`. */
export async function verifyBundle(entries: Entries, keys: TrustedKeys, version: string): Promise<Verified> {
  const opened = readStatement(entries, keys);
  const manifest = readManifest(entries, opened, version);
  const texts = readListed(entries, manifest);
  const { format: _, files: __, ...particulars } = manifest;
  for (const member of ['name', 'version', 'vendor'] as const) {
    const problem = nameProblem(particulars.implementation[member]);
    demand(problem === null, `the ${member} of the implementation ${problem}`);
  }
  const { nonce } = particulars;
  demand((keys.nonce ?? nonce) === nonce, `the nonce is ${nonce}, not ${keys.nonce}`);
  const take = (name: string): string => {
    const text = texts.get(name);
    demand(text !== undefined, `${name} is missing`);
    texts.delete(name);
    return text;
  };
  const recorded = readRecord(take);
  const witness = witnessedIn(keys.witness, recorded, particulars);
  const record = await rerunOf(recorded, particulars, keys.witness !== undefined);
  const made = computed(record, particulars);
  for (const [name, text] of made.files) demandSame(take(name), name, text);
  const [extra] = texts.keys();
  demand(extra === undefined, `${extra} does not belong in a bundle with this outcome`);
  const { results, choices, conditions, outcome } = made;
  demand(outcome.kind === 'attested', `the run is ${outcome.kind}: ${outcome.reason}`);
  const { statement, signer, programme } = opened;
  const expected = statementOf(manifest, made, outcome);
  demand(
    canonicalJson(statement) === canonicalJson(expected),
    `the signed statement does not follow from the recorded exchanges at ${firstDifference(statement, expected)}`,
  );
  const { sha256: digest } = expected.subject[0].digest;
  return { outcome, particulars, results, choices, conditions, signer, programme, witness, manifest: digest };
}

/**
 * Makes the bundle as `certify` does: it is verified before it is signed for good, with the log of its witness, if there
 * is one. What `verify` would reject is not signed.
 */
export async function certifiedBundle(certification: Certification, key: KeyObject, log?: string): Promise<Bundle> {
  const made = makeBundle(certification, key);
  if (made.outcome.kind !== 'attested') return made;
  const entries: Entries = new Map(
    [...made.files].map(([name, text]) => [name, { kind: 'file', read: () => Buffer.from(text) }]),
  );
  const keys = { signers: [createPublicKey(key)], ...(log === undefined ? {} : { witness: log }) };
  try {
    await verifyBundle(entries, keys, certification.record.header.suite.version);
    return made;
  } catch (error) {
    if (error instanceof Disagreement) return makeBundle(certification, key, error.message);
    throw error;
  }
}
