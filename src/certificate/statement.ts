/** The in-toto statement that is signed: the digest of the bundle, and the outcome of the run. */

import type { Results } from '../verdict/results.ts';
import { sha256 } from './canonical.ts';
import { namesOf, type Particulars } from './certification.ts';

/** What the statement says of the bundle; the name lies in a domain that nobody can own. */
export const PREDICATE_TYPE = 'https://pcs-conformance.invalid/attestation/conformance/v1';

/** The statement about a bundle, by the text of its manifest. */
export function statementOf(
  manifest: string,
  particulars: Particulars,
  results: Results,
  outcome: { readonly outcome: string; readonly reason: string },
): object {
  const { target, profile, without, strict, seed, counts } = results;
  const readings = [...new Set(results.requirements.flatMap(({ reading }) => reading ?? []))].sort();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'manifest.json', digest: { sha256: sha256(manifest) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      outcome: outcome.outcome,
      reason: outcome.reason,
      ...particulars,
      ...{ target, profile, without, strict, seed, counts },
      notExercised: namesOf(results, 'not-exercised'),
      warnings: namesOf(results, 'warning'),
      readings,
    },
  };
}
