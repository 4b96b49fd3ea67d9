/** The contents of a bundle, and its files: canonical form, digests, causes of rejection, manifest and record. */

import { isUtf8 } from 'node:buffer';
import { BUNDLE } from '../contract/limits.ts';
import { canonicalJson, sha256 } from '../exchange/digest.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isDeeperThan, jsonFault } from '../exchange/json-text.ts';
import { type FileKind, schemaProblem } from '../regression/own-files.ts';
import { cut, visible } from '../report/text.ts';
import type { RunFacts } from '../run/facts.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';

/** The implementation that is certified. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly vendor: string;
}

/** What a bundle is made from. */
export interface Certification {
  readonly record: RunRecord;
  readonly implementation: Implementation;
  readonly nonce: string;
  /** When the run ended, as `2026-01-31T12:00:00.000Z`. */
  readonly time: string;
  /** When and where it ran, as the signer states it. */
  readonly run?: RunFacts;
}

/** What was certified: the manifest without its files. */
export interface Particulars extends Omit<Certification, 'record'> {
  readonly suite: Results['suite'];
  /** Version and digest of the requirements, operations and readings. */
  readonly catalogue: { readonly version: string; readonly sha256: string };
}

/** The manifest as a file holds it. */
export interface Manifest extends Particulars {
  readonly format: 'pcs-conformance/bundle@1';
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** An entry of a bundle's folder. Nothing is read before `read` is called, and no more than `most` bytes. */
export interface BundleEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'special file';
  /** Throws `Disagreement` if it is longer or cannot be read. */
  readonly read: (most: number) => Uint8Array;
}

/** The entries of a bundle's folder by name. */
export type Entries = ReadonlyMap<string, BundleEntry>;

/** Every file that a bundle may have, with the most bytes read of it: about ten times the usual size. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  'record.json': 2 ** 20,
  'exchanges.ndjson': 2 ** 24,
  'results.json': 2 ** 22,
  'choices.json': 2 ** 20,
  'certificate.html': 2 ** 19,
  'badge.json': 2 ** 16,
  'manifest.json': 2 ** 16,
  'attestation.json': 2 ** 18,
};

/** Every file that a bundle may have. */
export const BUNDLE_FILES = Object.keys(MOST_BYTES);

/** The file that lists the others with their digests, and the signature file. */
export const MANIFEST = 'manifest.json';
export const ATTESTATION = 'attestation.json';

/**
 * A bundle is rejected: it contradicts its signature, itself, or what follows from its record. The message is a phrase.
 * It may quote the bundle, so its length is limited, and control characters are escaped for the terminal.
 */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';

  constructor(phrase: string) {
    super(cut(visible(phrase), BUNDLE.phrase));
  }
}

/** Throws `Disagreement` with the phrase unless it holds. */
export function demand(holds: boolean, phrase: string): asserts holds {
  if (!holds) throw new Disagreement(phrase);
}

/** The text of a file in its canonical form. */
export const canonicalText = (value: unknown): string => `${canonicalJson(value)}\n`;

/** The bytes of a file. Throws `Disagreement` if it is missing, no regular file or too long. */
function fileBytes(entries: Entries, name: string): Uint8Array {
  const entry = entries.get(name);
  demand(entry !== undefined, `${name} is missing`);
  demand(entry.kind === 'file', `${name} is a ${entry.kind}, not a regular file`);
  const most = MOST_BYTES[name] ?? 0;
  const bytes = entry.read(most);
  demandBytes(name, bytes.length, most);
  return bytes;
}

/** The text of a file. Throws `Disagreement` if it cannot be read, or is not UTF-8. */
export const textIn = (entries: Entries, name: string): string => utf8Text(fileBytes(entries, name), name);

/** Throws `Disagreement` if a file is too long to be read. */
export const demandBytes = (name: string, bytes: number, most: number): void =>
  demand(bytes <= most, `${name} has ${bytes} bytes, and at most ${most} are read`);

/** The text of bytes. Throws `Disagreement` naming the file if they are not UTF-8. */
export function utf8Text(bytes: Uint8Array, name: string): string {
  demand(isUtf8(bytes), `${name} is not UTF-8`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The JSON value of a text that is exactly what `write` makes of that value. Throws `Disagreement`. */
function parseCanonical(text: string, name: string, write = canonicalText): unknown {
  const fault = jsonFault(text);
  demand(fault === null, `${name} is not JSON: ${fault}`);
  const value: unknown = JSON.parse(text);
  // A value of many levels would exhaust the stack of whatever walks it.
  demand(!isDeeperThan(BUNDLE.levels, value), `${name} has more than ${BUNDLE.levels} levels`);
  // Another way to write the same value could replace the file without breaking the signature.
  const changed = text.endsWith('\r\n') ? ': its line ends were changed, as git does with core.autocrlf' : '';
  demand(write(value) === text, `${name} is not in its canonical form${changed}`);
  return value;
}

/** The value, which must match its schema. Throws `Disagreement`. */
function shaped<Value>(kind: FileKind, value: unknown, name: string): Value {
  const problem = schemaProblem(kind, value);
  demand(problem === null, `${name} does not match its schema: ${problem}`);
  return value as Value;
}

/** The value of a text in its canonical form that matches its schema. Throws `Disagreement`. */
export const readShaped = <Value>(kind: FileKind, text: string, name: string, write = canonicalText): Value =>
  shaped(kind, parseCanonical(text, name, write), name);

/** The manifest, which must be what was signed, and of this version of the suite. Throws `Disagreement`. */
export function readManifest(entries: Entries, signed: string, version: string): Manifest {
  const bytes = fileBytes(entries, MANIFEST);
  const found = sha256(bytes);
  demand(signed === found, `${MANIFEST} has the digest ${found}, but ${signed} was signed`);
  const manifest = parseCanonical(utf8Text(bytes, MANIFEST), MANIFEST) as Manifest;
  // Checked before its schema, which another version may lack. The version is named, not recommended: it may be old.
  const made: unknown = manifest?.suite?.version;
  demand(
    typeof made !== 'string' || made === version,
    `the bundle was made by version ${JSON.stringify(cut(String(made), 40))} of this package, and this is ${version}: only the same version can verify it; if your programme does not accept that one, ask for a new certification`,
  );
  return shaped('manifest', manifest, MANIFEST);
}

/** The texts of the listed files. Nothing else in the folder is read, and nothing else is allowed there. */
export function readListed(entries: Entries, { files }: Manifest): Map<string, string> {
  const names = files.map(({ name }) => name);
  demand(new Set(names).size === names.length, `${MANIFEST} lists a file twice`);
  for (const [name, { kind }] of entries) {
    const isListed = [MANIFEST, ATTESTATION, ...names].includes(name);
    demand(isListed, `the ${kind} ${JSON.stringify(name)} is not listed in ${MANIFEST}`);
  }
  const texts = files.map(({ name, bytes: length, sha256: digest }) => {
    const data = fileBytes(entries, name);
    demand(data.length === length, `${name} has ${data.length} bytes, but ${MANIFEST} lists ${length}`);
    const found = sha256(data);
    demand(found === digest, `${name} has the digest ${found}, but ${MANIFEST} lists ${digest}`);
    return [name, utf8Text(data, name)] as const;
  });
  return new Map(texts);
}

/** What a bundle holds of a record; the plan follows from it. */
export type BundledRecord = Omit<RunRecord, 'plan'>;

const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** The files of a record, from which everything else is computed: names and texts. */
export function recordFiles(record: RunRecord): readonly (readonly [string, string])[] {
  const { plan: _, exchanges, ...rest } = record;
  const lines = [...exchanges].sort((a, b) => a.seq - b.seq).map(jsonLine);
  return [
    ['record.json', jsonLine(rest)],
    ['exchanges.ndjson', lines.join('')],
  ];
}

/** Reads the record from the texts of its files. Throws `Disagreement` for another form or a missing exchange. */
export function readBundledRecord(take: (name: string) => string): BundledRecord {
  const name = 'record.json';
  const rest = readShaped<Omit<BundledRecord, 'exchanges'>>('certifiedRecord', take(name), name, jsonLine);
  return { ...rest, exchanges: bundledExchanges(take('exchanges.ndjson')) };
}

function bundledExchanges(text: string): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let members = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    demand(exchanges.length < BUNDLE.exchanges, `exchanges.ndjson has more than ${BUNDLE.exchanges} exchanges`);
    end = text.indexOf('\n', at) + 1;
    const name = `line ${exchanges.length + 1} of exchanges.ndjson`;
    demand(end - at <= BUNDLE.exchange, `${name} has more than ${BUNDLE.exchange} characters`);
    const exchange = readShaped<Exchange>('exchange', text.slice(at, end), name, jsonLine);
    const { seq, request, response } = exchange;
    demand(seq === exchanges.length + 1, `${name} holds exchange ${seq}: an exchange is missing or repeated`);
    members += (request.body?.members.length ?? 0) + (response?.body?.members.length ?? 0);
    demand(members <= BUNDLE.members, `exchanges.ndjson has more than ${BUNDLE.members} members of bodies`);
    exchanges.push(exchange);
  }
  return exchanges;
}
