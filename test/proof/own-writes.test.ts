/** A value that the suite itself wrote is suspected before an outage is. */

import { expect, test } from 'vitest';
import { FAULTS, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBroken } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';

const stored = FAULTS.filter(({ mechanism }) => mechanism === 'value that is stored and cannot be shown');

test.each(stored)('$name is found within seconds, as a failure of the update', async (fault) => {
  const { service, settings } = planted(fault, createReference());
  const clock = skippingClock();
  const { record, results } = await judge(service, optionsFrom(settings), clock);
  const broken = casesOf(results).filter(isBroken);
  expect(broken.map(({ id }) => id)).toContain('NO-SERVER-ERROR/updateTrunk');
  expect(results.intermittent).toEqual([]);
  expect(results.endedEarly).toBeNull();
  // It had been 605 seconds of waiting for the end of outages, and no failing case.
  expect(clock.now()).toBeLessThan(10_000);
  expect(record.changed).toEqual([]);
  await comesOutTheSame(record);
});
