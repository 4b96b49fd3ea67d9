/** That what a killed run recorded can be judged, wherever it ends. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judgedAsFar } from '../../src/run/rerun.ts';
import type { RunRecord } from '../../src/verdict/record.ts';
import { resultsOf, SUITE } from '../../suites/index.ts';
import { isWhole } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const { service, settings } = createReference();
const { record } = await judge(service, optionsFrom(settings));
const stored: RunRecord = JSON.parse(JSON.stringify(record));

/** The record of a run that was killed after so many answers; `lost` answers before the last were still under way. */
const killedAfter = (answers: number, lost: number): RunRecord => ({
  ...stored,
  skipped: [],
  settled: {},
  endedEarly: 'the run was killed',
  exchanges: stored.exchanges.slice(0, answers).filter((_, at) => at < answers - 1 - lost || at === answers - 1),
});

const STEP = isWhole() ? 7 : 97;
const ends = Array.from({ length: Math.floor(stored.exchanges.length / STEP) }, (_, at) => 1 + at * STEP);

test.each(ends)('a run that was killed after %i answers is judged as far as it goes', async (answers) => {
  for (const lost of [0, 1]) {
    const killed = killedAfter(answers, Math.min(lost, answers - 1));
    const { verdict, reason } = resultsOf(await judgedAsFar(killed, SUITE));
    expect([verdict, reason]).toEqual(['incomplete', expect.stringContaining('the run was killed')]);
  }
});
