/** What a run says would help fits what the target said. */

import { expect, test } from 'vitest';
import { casesOf, judged } from '../../../src/selftest/judged.ts';

const RIGHT = 'allow PCS_ACCESS_TOKEN to use this operation';

test.each([
  [
    { 'number-search': 'needs-query-unnamed' },
    'SUCCESS-STATUS/searchAvailableNumbers',
    'set PCS_AVAILABLE_NUMBERS_QUERY',
  ],
  [{ scope: 'no-number-list' }, 'LIST-STATUS/listNumbers', RIGHT],
  [
    { scope: 'no-trunk-update' },
    'SUCCESS-STATUS/updateTrunk',
    `set PCS_TRUNK_ID to a resource reserved for testing, or give a body that the target accepts for updateTrunk with --samples, or ${RIGHT}`,
  ],
  [{ enumerations: 'exotic' }, 'SUCCESS-STATUS/setInboundAuth', '--samples'],
])('%j', async (choices, name, remedy) => {
  const { results } = await judged(choices, { samples: false });
  const open = casesOf(results).find(({ id }) => id === name);
  expect(open).toMatchObject({ id: name, verdict: 'inconclusive', remedy: expect.stringContaining(remedy) });
});
