/** That a recorded run can be run again without its target: demanded of every kind of run that a proof makes. */

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { rerun } from '../../src/run/rerun.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { isWhole } from '../sampled.ts';

/** Runs the record again, as a file holds it, and demands the same results. */
export async function comesOutTheSame(record: RunRecord): Promise<void> {
  const stored: RunRecord = JSON.parse(JSON.stringify(record));
  const again = await rerun(stored, SUITE);
  expect(again.exchanges.length).toBe(record.exchanges.length);
  expect(JSON.stringify(resultsOf(again))).toBe(JSON.stringify(resultsOf(record)));
}

/** In the short project, one of so many tests that judge something else runs its record again; its name decides. */
const ONE_IN = 4;

/** Demands the same of a test whose subject is another: of each one in the long project. */
export async function comesOutTheSameToo(record: RunRecord): Promise<void> {
  const name = expect.getState().currentTestName ?? '';
  const isDue = createHash('sha256').update(name).digest().readUInt32BE() % ONE_IN === 0;
  if (isWhole() || isDue) await comesOutTheSame(record);
}
