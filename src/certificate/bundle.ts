/** The bundle of a certification: everything that its verdicts are computed from, the digests, and the signature. */

import type { KeyObject } from 'node:crypto';
import { choicesOf, resultsOf, SUITE } from '../../suites/index.ts';
import { renderBadge, renderResults } from '../report/json-files.ts';
import { type Choice, renderChoices } from '../run/choices.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { signStatement, statementOf } from './attestation.ts';
import { type BundleFile, canonicalJson, MOST_BYTES, recordFiles, sha256 } from './bundle-files.ts';
import { renderCertificate } from './certificate-page.ts';
import { type Certification, conditionsOf, type Outcome, outcomeOf, type Particulars } from './certification.ts';
import { catalogueOf } from './rerun-check.ts';

/** The file that lists the others with their digests, and the signature file. */
export const MANIFEST = 'manifest.json' satisfies BundleFile;
export const ATTESTATION = 'attestation.json' satisfies BundleFile;

/** Every file that a bundle may have. */
export const BUNDLE_FILES: readonly string[] = Object.keys(MOST_BYTES);

/** The manifest as a file holds it. */
export interface Manifest extends Particulars {
  readonly format: 'pcs-conformance/bundle@1';
  readonly files: readonly { readonly name: BundleFile; readonly bytes: number; readonly sha256: string }[];
}

/** What follows from a record. */
export interface Computed {
  readonly results: Results;
  readonly choices: readonly Choice[];
  readonly outcome: Outcome;
  /** Names and texts; the certificate and the badge only if the outcome is conformant. */
  readonly files: readonly (readonly [string, string])[];
}

/** Computes results, outcome and files from a record; `problem` says why it could not be verified. */
export function computed(record: RunRecord, particulars: Particulars, problem: string | null = null): Computed {
  const results = resultsOf(record);
  const outcome: Outcome =
    problem === null ? outcomeOf(results) : { kind: 'incomplete', reason: `it could not be verified: ${problem}` };
  const conforms = outcome.kind === 'attested' && outcome.outcome === 'conformant';
  const badge = conforms ? renderBadge(results) : null;
  const choices = choicesOf(record);
  const files: Computed['files'] = [
    ['results.json', renderResults({ results })],
    ['choices.json', renderChoices(choices)],
    ...(conforms ? [['certificate.html', renderCertificate(results, particulars, conditionsOf(record))] as const] : []),
    ...(badge === null ? [] : [['badge.json', badge] as const]),
  ];
  return { results, choices, outcome, files };
}

/** A bundle: its files by name, and what it shows. */
export interface Bundle extends Omit<Computed, 'files'> {
  readonly files: ReadonlyMap<string, string>;
}

/** The certification as the verifier reads it from the files: its record and its particulars. */
function asRead({ record: own, ...rest }: Certification): {
  readonly record: RunRecord;
  readonly particulars: Particulars;
} {
  const record: RunRecord = JSON.parse(JSON.stringify(own));
  const { suite } = record.header;
  const particulars = { ...rest, suite, catalogue: catalogueOf(suite.version, SUITE) };
  // The manifest sorts the members, such as labels, and pages follow their order.
  return { record, particulars: JSON.parse(canonicalJson(particulars)) };
}

/** Makes the bundle; it is signed only if every case of the profile was judged, and nothing is wrong with its record. */
export function makeBundle(certification: Certification, key: KeyObject, problem: string | null = null): Bundle {
  const { record, particulars } = asRead(certification);
  const { results, choices, outcome, files: follow } = computed(record, particulars, problem);
  const files = new Map([...recordFiles(record), ...follow]);
  const listed = [...files].map(([name, text]) => ({
    name: name as BundleFile,
    bytes: Buffer.byteLength(text),
    sha256: sha256(text),
  }));
  const manifest: Manifest = {
    format: 'pcs-conformance/bundle@1',
    ...particulars,
    files: listed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const text = `${canonicalJson(manifest)}\n`;
  files.set(MANIFEST, text);
  if (outcome.kind === 'attested') {
    files.set(ATTESTATION, signStatement(statementOf(text, particulars, results, outcome, conditionsOf(record)), key));
  }
  return { files, outcome, results, choices };
}
