/** Whether a certification asked everything, in the order of its nonce: its record is run again and must come out the same. */

import { SUITE } from '../../suites/index.ts';
import { RecordMismatch } from '../client/recorded-wire.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { READINGS } from '../contract/readings.ts';
import type { SkipCause } from '../contract/skipped.ts';
import { rerun } from '../run/rerun.ts';
import type { RunRecord } from '../verdict/record.ts';
import { type BundledRecord, canonicalJson, Disagreement, demand, type Particulars, sha256 } from './bundle-files.ts';
import { drawOf, seedOf } from './certification.ts';

let digest: string | undefined;

/** Version and digest of the requirements, operations and readings of the suite. */
export function catalogueOf(version: string): Particulars['catalogue'] {
  // What a service that does nothing meets concerns the proof of the suite alone.
  const requirements = SUITE.requirements.map(({ metByNothing: _, ...judged }) => judged);
  const data = { requirements, operations: OPERATIONS, readings: READINGS };
  digest ??= sha256(canonicalJson(JSON.parse(JSON.stringify(data))));
  return { version, sha256: digest };
}

/** What keeps a run from asking everything; an operation that hangs is a failure of the target. */
const CUTS: readonly SkipCause[] = ['limit', 'stopped', 'claimed'];

function demandParticulars(record: BundledRecord, particulars: Particulars): void {
  const { header, inputs, skipped } = record;
  const { suite, catalogue } = particulars;
  const own = catalogueOf(suite.version);
  demand(catalogue.sha256 === own.sha256, `the catalogue is ${catalogue.sha256}, and this suite has ${own.sha256}`);
  demand(catalogue.version === own.version, `the catalogue names version ${JSON.stringify(catalogue.version)}`);
  const cut = skipped.find(({ why }) => CUTS.includes(why));
  demand(cut === undefined, `the sequence "${cut?.sequence}" was not sent: ${cut?.reason}`);
  const isSameSuite = canonicalJson(header.suite) === canonicalJson(suite);
  demand(isSameSuite, 'record.json and manifest.json name different suites');
  const draw = drawOf(particulars, record);
  const isDrawn = header.seed === seedOf(draw) && inputs.drawnOrder === draw;
  demand(isDrawn, `seed (${header.seed}) and order do not follow from the nonce, the implementation and the settings`);
}

/** The record of the rerun. Throws `Disagreement` where it does not come out the same. */
export async function rerunOf(record: BundledRecord, particulars: Particulars): Promise<RunRecord> {
  demandParticulars(record, particulars);
  try {
    return await rerun(record, SUITE);
  } catch (error) {
    if (error instanceof RecordMismatch) throw new Disagreement(`run again, the record differs: ${error.message}`);
    // No request can be made from some ids and addresses that a record may hold.
    throw new Disagreement(`the record cannot be run again: ${error instanceof Error ? error.message : String(error)}`);
  }
}
