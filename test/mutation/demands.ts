/** What the proofs demand of a run: its verdict, and what fails, warns or stays open. */

import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf } from '../../suites/index.ts';

/** A recorded run, and what it said without a mutant. */
export interface RecordedRun {
  readonly name: string;
  readonly record: RunRecord;
  readonly demand: string;
}

/** The verdicts of a record; the wording of findings and reasons is free. */
export function demandOn(record: RunRecord): string {
  const { verdict, requirements } = resultsOf(record);
  const cases = requirements.flatMap((one) => one.cases.map((each) => `${each.id} ${each.verdict}`));
  return [verdict, ...cases].join('\n');
}
