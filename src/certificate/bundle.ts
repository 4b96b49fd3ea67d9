/** The bundle of a certification: everything that its verdicts are computed from, and digests of it. */

import type { KeyObject } from 'node:crypto';
import { renderBadge } from '../report/badge.ts';
import { renderResults } from '../report/results-json.ts';
import { choicesOf, renderChoices } from '../verdict/choices.ts';
import { evaluate } from '../verdict/evaluate.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { canonicalJson, sha256 } from './canonical.ts';
import { catalogueOf } from './catalogue.ts';
import { renderCertificate } from './certificate-page.ts';
import { type Certification, type Outcome, outcomeOf, type Particulars } from './certification.ts';
import { sealedEnvelope } from './envelope.ts';
import { statementOf } from './statement.ts';

/** The file that lists the others with their digests, and the one that holds the signature. */
export const MANIFEST = 'manifest.json';
export const ATTESTATION = 'attestation.json';

/** Every file that a bundle may have: nothing else is replaced or removed where one is written. */
export const BUNDLE_FILES: readonly string[] = [
  ...['plan.json', 'settings.json', 'record.json', 'exchanges.ndjson'],
  ...['results.json', 'choices.json', 'certificate.html', 'badge.json', MANIFEST, ATTESTATION],
];

/** Files by name. */
export type Files = ReadonlyMap<string, string>;

/** The manifest as a file holds it. */
export interface Manifest extends Particulars {
  readonly format: 'pcs-conformance/bundle@1';
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

const canonicalFile = (value: unknown): string => `${canonicalJson(value)}\n`;

/** A value on one line, its members in the order in which the suite makes them. */
export const plainFile = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** What may be shown of the settings: the target, what was asked, and the names of the settings that were there. */
export function settingsOf({ header }: RunRecord): object {
  const { target, profile, without, strict, seed, settings } = header;
  return { target, profile, without, strict, seed, settings };
}

/** The files from which everything else is computed again. */
function sources({ record, sequences }: Certification): readonly (readonly [string, string])[] {
  const { plan: cases, exchanges, ...rest } = record;
  const lines = [...exchanges].sort((a, b) => a.seq - b.seq).map((exchange) => `${JSON.stringify(exchange)}\n`);
  return [
    ['plan.json', plainFile({ cases, sequences })],
    ['settings.json', plainFile(settingsOf(record))],
    ['record.json', plainFile(rest)],
    ['exchanges.ndjson', lines.join('')],
  ];
}

/** The files that follow from the record; a certificate and a badge for what conforms alone. */
export function computed(
  record: RunRecord,
  results: Results,
  outcome: Outcome,
  particulars: Particulars,
): readonly (readonly [string, string])[] {
  const conforms = outcome.kind === 'attested' && outcome.outcome === 'conformant';
  const badge = conforms ? renderBadge(results) : null;
  return [
    ['results.json', renderResults(results)],
    ['choices.json', renderChoices(choicesOf(record))],
    ...(conforms ? [['certificate.html', renderCertificate(results, particulars)] as const] : []),
    ...(badge === null ? [] : [['badge.json', badge] as const]),
  ];
}

/** A bundle and what it comes to. */
export interface Bundle {
  readonly files: Files;
  readonly outcome: Outcome;
  readonly results: Results;
}

/** Makes the bundle; it is signed only where everything in the profile was judged. */
export function makeBundle(certification: Certification, key: KeyObject): Bundle {
  const { record, implementation, nonce, time } = certification;
  // Through JSON and back, as whoever verifies it reads it.
  const kept: RunRecord = JSON.parse(JSON.stringify(record));
  const results = evaluate(kept);
  const outcome = outcomeOf(results);
  const { suite } = record.header;
  const particulars = { suite, catalogue: catalogueOf(suite.version), implementation, nonce, time };
  const files = new Map([
    ...sources({ ...certification, record: kept }),
    ...computed(kept, results, outcome, particulars),
  ]);
  const listed = [...files].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
  const manifest = canonicalFile({
    format: 'pcs-conformance/bundle@1',
    ...particulars,
    files: listed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  } satisfies Manifest);
  files.set(MANIFEST, manifest);
  if (outcome.kind === 'attested') {
    files.set(ATTESTATION, sealedEnvelope(statementOf(manifest, particulars, results, outcome), key));
  }
  return { files, outcome, results };
}
