/** That a full run which lacks an id leaves its questions open, and is not stopped by its own safety rules. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const IDS = sampled(
  [
    ...(['PCS_PARTICIPANT_ID', 'PCS_NUMBER_ID', 'PCS_VOICE_APPLICATION_ID'] as const),
    ...(['PCS_CARRIER_CONNECTION_ID', 'PCS_TRUNK_ID'] as const),
  ],
  4,
);

test.each(IDS.items)(`without %s a run is incomplete, and names it (${IDS.words})`, async (name) => {
  const { service, settings } = createReference();
  const { [name]: _, ...rest } = settings;
  const { results, record } = await judge(service, optionsFrom(rest as typeof settings));
  expect([results.verdict, record.errors]).toEqual(['incomplete', []]);
  expect(results.reason).toContain(name);
});
