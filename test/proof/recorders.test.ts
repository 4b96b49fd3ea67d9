/** Recordings of lawful services and of faults by drawn recorders: none accused, and what is visible is found. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { requirementById } from '../../suites/catalogue.ts';
import { isWhole, sampled } from '../sampled.ts';
import { sampleVariants } from '../selftest/sample.ts';
import { mayBeShown } from './broken-by.ts';
import { FAITHFUL, type Recorder, recorders, seenRun, shownBy } from './recorders.ts';
import { batchesOf } from './samples.ts';

const SEED = 20_261_125;
const COUNT = isWhole() ? 1_000 : 3;
const VARIANTS = sampleVariants(COUNT, SEED);
const RECORDERS = recorders(1_000, SEED);
/** In the long project each run is recorded twice: a dimension at a time comes first, and mixed ones after it. */
const recordersOf = (at: number): readonly Recorder[] =>
  (isWhole() ? [at, at * 7 + 40] : [at * 31]).map((one) => RECORDERS[one % RECORDERS.length] ?? FAITHFUL);

describe('no lawful service is accused', () => {
  test.each(batchesOf(VARIANTS))('recordings from $from to $to', async ({ from, batch }) => {
    const accused: unknown[] = [];
    for (const [at, choices] of batch.entries()) {
      const run = await seenRun(choices);
      for (const recorder of recordersOf(from + at)) {
        const shown = (await shownBy(run, recorder)).filter((id) => !run.named.includes(id));
        if (shown.length > 0) accused.push({ shown, choices, recorder });
      }
    }
    expect(accused).toEqual([]);
  });
});

/**
 * Whether the recorder leaves visible what a faithful one shows. An error whose body is unknown may be that of a gateway, and so
 * may one without a body, unless it persists for its request: requests differ in their credentials.
 */
function leavesVisible({ credentials, fields, bodies, requests, order, file }: Recorder, id: string, fault: Fault) {
  const traffic = requirementById(id)?.traffic;
  if (id === 'ERROR-ENVELOPE' && fault.mechanism === 'error without a body' && credentials !== 'kept') return false;
  const isKept =
    ['text', 'base64'].includes(bodies) && file !== 'ndjson of values' && ['all', 'an object'].includes(fields);
  if (traffic === 'www-authenticate') return isKept && credentials === 'kept';
  if (traffic !== 'answer' && traffic !== 'pair') return isKept;
  return isKept && credentials === 'kept' && requests !== 'left out' && order !== 'newest first';
}

const HERE = sampled(FAULTS, 400);

describe.each(HERE.items.map((fault, at) => ({ fault, at, name: fault.name })))(
  `the fault $name (${HERE.words})`,
  ({ fault, at }) => {
    test('is shown by what the recorder left visible, and nothing else is', async () => {
      const run = await seenRun({}, fault);
      const whole = await shownBy(run, FAITHFUL);
      const allowed = mayBeShown(fault);
      expect(whole.filter((id) => !allowed.includes(id))).toEqual([]);
      for (const recorder of recordersOf(at)) {
        const shown = await shownBy(run, recorder);
        expect({ recorder, more: shown.filter((id) => !allowed.includes(id)) }).toEqual({ recorder, more: [] });
        const missed = whole.filter((id) => !shown.includes(id) && leavesVisible(recorder, id, fault));
        expect({ recorder, missed }).toEqual({ recorder, missed: [] });
      }
    });
  },
);
