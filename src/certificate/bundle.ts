/** The bundle of a certification: everything that its verdicts are computed from, the digests, and the signature. */

import type { KeyObject } from 'node:crypto';
import { choicesOf, resultsOf } from '../../suites/index.ts';
import { renderBadge, renderResults } from '../report/json-files.ts';
import { type Choice, renderChoices } from '../run/choices.ts';
import type { RunRecord } from '../verdict/record.ts';
import type { Results } from '../verdict/results.ts';
import { signStatement, statementOf } from './attestation.ts';
import {
  ATTESTATION,
  type Certification,
  canonicalJson,
  canonicalText,
  MANIFEST,
  type Manifest,
  type Particulars,
  recordFiles,
  sha256,
} from './bundle-files.ts';
import { renderCertificate } from './certificate-page.ts';
import { conditionsOf, type Outcome, outcomeOf } from './certification.ts';
import { catalogueOf } from './rerun-check.ts';

/** A bundle, or the part of it that follows from its record alone. */
export interface Bundle {
  readonly results: Results;
  readonly choices: readonly Choice[];
  /** Settings that narrowed the run or made it easier. */
  readonly conditions: readonly string[];
  readonly outcome: Outcome;
  /** Texts by name; the certificate and the badge only if the outcome is conformant. */
  readonly files: ReadonlyMap<string, string>;
}

/** Computes what follows from a record; `problem` says why it could not be verified. */
export function computed(record: RunRecord, particulars: Particulars, problem: string | null = null): Bundle {
  const [results, choices, conditions] = [resultsOf(record), choicesOf(record), conditionsOf(record)];
  const outcome: Outcome =
    problem === null ? outcomeOf(results) : { kind: 'incomplete', reason: `it could not be verified: ${problem}` };
  const files = new Map([
    ['results.json', renderResults({ results })],
    ['choices.json', renderChoices(choices)],
  ]);
  if (outcome.kind === 'attested' && outcome.outcome === 'conformant') {
    files.set('certificate.html', renderCertificate(results, particulars, conditions));
    const badge = renderBadge(results);
    if (badge !== null) files.set('badge.json', badge);
  }
  return { results, choices, conditions, outcome, files };
}

/** Makes the bundle; it is signed only if every case of the profile was judged, and nothing is wrong with its record. */
export function makeBundle(certification: Certification, key: KeyObject, problem: string | null = null): Bundle {
  const { record: own, ...stated } = certification;
  const { suite } = own.header;
  // As the verifier reads them: the manifest sorts the members, such as labels, and pages follow their order.
  const record: RunRecord = JSON.parse(JSON.stringify(own));
  const particulars: Particulars = JSON.parse(
    canonicalJson({ ...stated, suite, catalogue: catalogueOf(suite.version) }),
  );
  const made = computed(record, particulars, problem);
  const files = new Map([...recordFiles(record), ...made.files]);
  const listed = [...files].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
  const manifest: Manifest = {
    format: 'pcs-conformance/bundle@1',
    ...particulars,
    files: listed.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  files.set(MANIFEST, canonicalText(manifest));
  if (made.outcome.kind === 'attested')
    files.set(ATTESTATION, signStatement(statementOf(manifest, made, made.outcome), key));
  return { ...made, files };
}
