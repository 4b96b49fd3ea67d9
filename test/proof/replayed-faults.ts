/** The failures of planted faults, asked again the way `replay` does: each is seen again. */

import { afterAll, describe, expect, test } from 'vitest';
import { type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { type Breadth, type RecordedRun, type Replayed, replay, stagesOf } from '../../src/run/replay.ts';
import { plannerFor, SUITE } from '../../suites/index.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

/**
 * Faults that a service fresh from its start does not show in so few requests, and why. They are asked of the service
 * that the run left, as often as it takes: each replay finds its counter elsewhere.
 */
const COUNTING: Readonly<Record<string, string>> = {
  'crash-every-twentieth': 'It breaks at each twentieth request, whichever that is.',
};

const OFTEN = 20;

/** A service with a fault, and how it is judged. */
export interface Faulty {
  readonly service: Service;
  readonly options: RunOptions;
}

function started(fault: Fault): Faulty {
  const { service, settings } = planted(fault, createReference());
  return { service, options: optionsFrom(settings) };
}

/** A run against a faulty service: its record, and the ids of the cases that failed. */
export async function failuresOf(fault: Fault) {
  const faulty = started(fault);
  const { record, results } = await judge(faulty.service, faulty.options);
  const run: RecordedRun = { results, exchanges: record.exchanges };
  const cases = results.requirements.flatMap((requirement) => requirement.cases);
  return { faulty, run, failed: cases.filter(({ findings }) => findings.length > 0).map(({ id }) => id) };
}

/** Asks a case again; where no service is given each stage finds one that has just been started. */
export function askAgain(id: string, run: RecordedRun, fault: Fault, left?: Faulty): Promise<Replayed> {
  const { options } = left ?? started(fault);
  const stages = stagesOf(run, id, SUITE, plannerFor({ ...options, only: [id] }));
  return replay(id, stages, async ({ sequences }) => {
    const { service, options: known } = left ?? started(fault);
    const { results } = await judge(service, { ...known, only: [id] }, undefined, undefined, sequences);
    return results;
  });
}

/** Faults that show only after something else was sent, so that the smallest sequence does not show them. */
const STATEFUL: Readonly<Record<string, string>> = {
  'servlet-writes-latin-1': 'A response is wrong only once a name that is not ASCII was written.',
};

/** Registers the proof that each failure of these faults is seen again, nearly always by the smallest sequence. */
export function proveReplays(faults: readonly Fault[]): void {
  const breadths: Breadth[] = [];

  describe('a replay', () => {
    test.each(faults)('sees every failure of $name again', async (fault) => {
      const { run, failed, faulty } = await failuresOf(fault);
      expect(failed.length).toBeGreaterThan(0);
      const lost: string[] = [];
      for (const id of failed) {
        let seen = await askAgain(id, run, fault);
        const tries = fault.name in COUNTING ? OFTEN : 0;
        for (let at = 0; at < tries && seen.outcome !== 'fails'; at += 1) seen = await askAgain(id, run, fault, faulty);
        if (fault.name in STATEFUL) expect(seen.breadth).toBe('whole case');
        else breadths.push(seen.breadth);
        if (seen.outcome !== 'fails') lost.push(`${id} ${seen.outcome}: ${seen.judged.reason ?? ''}`);
      }
      expect(lost).toEqual([]);
    });

    afterAll(() => {
      // The smallest sequence is what a replay is for: more is sent for very few.
      // Where one test alone was asked for, there is nothing to weigh.
      if (breadths.length < faults.filter(({ name }) => !(name in STATEFUL)).length) return;
      const small = breadths.filter((breadth) => breadth === 'smallest sequence').length;
      expect(small / breadths.length).toBeGreaterThan(0.95);
    });
  });
}
