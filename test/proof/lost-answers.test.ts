/** What a lost answer to a made-up id says of access: nothing. */

import { expect, test } from 'vitest';
import { crossOrganization, idsOf, on } from '../../fixtures/faults/visit.ts';
import { between } from '../../fixtures/faults/wrap.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

test('a 200 to another organization is not access if the made-up id gets 503', async () => {
  const { service, settings } = createReference();
  const polite = between((visit, inner) => {
    if (!on('getTrunk')(visit) || !crossOrganization(visit)) return inner(visit.request);
    const isOurs = idsOf(visit)[0] === settings.PCS_TRUNK_ID;
    return Promise.resolve(isOurs ? json(200, { success: true }) : json(503, ENVELOPE));
  });
  const { results } = await judge(polite(service, settings), optionsFrom(settings), skippingClock());
  expect(brokenIn(results)).not.toContain('ORG-ISOLATION');
});
