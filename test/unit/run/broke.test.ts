/** An error of the suite itself. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Transport } from '../../../src/exchange/message.ts';
import { judge, optionsFrom, skippingClock, transportTo } from '../../selftest/harness.ts';

test('ends the run, but not the clean-up', async () => {
  const { service, settings } = createReference();
  const toService = transportTo(service);
  let sent = 0;
  const transport: Transport = async (request) => {
    sent += 1;
    if (sent === 30) throw new Error('odd');
    return toService(request);
  };
  const options = optionsFrom(settings, { only: ['AUTH-SECRET', 'SUCCESS-STATUS/updateTrunk'] });
  const { results, record } = await judge(service, options, skippingClock(), transport);
  expect([results.verdict, results.reason]).toEqual(['void', expect.stringMatching(/^the suite itself broke: /)]);
  const later = record.exchanges.filter(({ seq }) => seq > 30).map(({ tag }) => tag.sequence);
  expect([new Set(later), record.endedEarly]).toEqual([new Set(['updateTrunk/restore']), 'the suite itself broke']);
});
