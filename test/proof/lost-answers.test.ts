/** What a lost answer to a made-up id says of access: nothing. */

import { expect, test } from 'vitest';
import { json } from '../../fixtures/faults/replies.ts';
import { crossOrganization, idsOf, on } from '../../fixtures/faults/visit.ts';
import { between } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

test('a 200 to another organization is not access if the made-up id gets 503', async () => {
  const { service, settings } = createReference();
  const polite = between((visit, inner) => {
    if (!on('getTrunk')(visit) || !crossOrganization(visit)) return inner(visit.request);
    const isOurs = idsOf(visit)[0] === settings.PCS_TRUNK_ID;
    return Promise.resolve(
      json(
        isOurs ? 200 : 503,
        isOurs ? { success: true } : { success: false, error: { code: 'busy', message: 'Later.' } },
      ),
    );
  });
  const { results } = await judge(polite(service, settings), optionsFrom(settings), skippingClock());
  expect(brokenIn(results)).not.toContain('ORG-ISOLATION');
});
