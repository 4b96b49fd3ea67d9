/** Whether a certification asked everything, in the order of its nonce: its record is run again and must come out the same. */

import { RecordMismatch } from '../client/recorded-target.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import { DEFAULTS } from '../run/defaults.ts';
import type { Requirement, Suite } from '../run/requirement.ts';
import { rerun } from '../run/rerun.ts';
import type { RunRecord } from '../verdict/record.ts';
import { canonicalJson, Disagreement, sha256 } from './bundle-files.ts';
import { type Particulars, seedOf } from './certification.ts';

const DIGESTS = new WeakMap<readonly Requirement[], string>();

/** Version and digest of the requirements, operations and readings of a suite. */
export function catalogueOf(version: string, { requirements }: Suite): Particulars['catalogue'] {
  const known = DIGESTS.get(requirements);
  const data = JSON.parse(JSON.stringify({ requirements, operations: OPERATIONS, readings: READINGS }));
  const digest = known ?? sha256(canonicalJson(data));
  DIGESTS.set(requirements, digest);
  return { version, sha256: digest };
}

function demandParticulars({ header, inputs, skipped }: RunRecord, particulars: Particulars, suite: Suite): void {
  const { nonce, catalogue } = particulars;
  const own = catalogueOf(particulars.suite.version, suite);
  const cut = skipped.find(({ why }) => why === 'limit' || why === 'stopped' || why === 'claimed');
  const facts = [
    [canonicalJson(catalogue) === canonicalJson(own), `the catalogue is ${catalogue.sha256}, not ${own.sha256}`],
    [header.profile === 'full', `the profile is ${header.profile}, and only full is certified`],
    [header.only.length === 0 && inputs.sequences === undefined, 'a filter was set'],
    [header.runs === 0 && inputs.path === undefined, 'the run had random cases'],
    [header.seed === seedOf(nonce), `the seed is ${header.seed}, but the nonce gives ${seedOf(nonce)}`],
    [inputs.drawnOrder === true, 'the order was not drawn from the nonce'],
    [!inputs.caseHeader, 'the target was told which case each request belonged to'],
    [inputs.maxCalls >= DEFAULTS.maxCalls, `only ${inputs.maxCalls} calls were allowed`],
    [cut === undefined, `the sequence "${cut?.sequence}" was not sent: ${cut?.reason}`],
    [
      canonicalJson(header.suite) === canonicalJson(particulars.suite),
      'record.json and manifest.json name different suites',
    ],
  ] as const;
  for (const [holds, phrase] of facts) if (!holds) throw new Disagreement(phrase);
}

/** The record of the rerun. Throws `Disagreement` where it does not come out the same. */
export async function rerunOf(record: RunRecord, particulars: Particulars, suite: Suite): Promise<RunRecord> {
  demandParticulars(record, particulars, suite);
  try {
    return await rerun(record, suite);
  } catch (error) {
    if (error instanceof RecordMismatch) throw new Disagreement(`run again, the record differs: ${error.message}`);
    throw error;
  }
}
