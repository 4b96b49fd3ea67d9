/** Where the settings or the service may be wrong, the headline has both readings; and two reasons are both told. */

import { expect, test } from 'vitest';
import { json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { Results } from '../../src/verdict/results.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const { settings } = createReference();

async function judged(wrap: (service: Service) => Service, ...only: readonly string[]): Promise<Results> {
  return (await judge(wrap(createReference().service), optionsFrom(settings, narrowed(...only)))).results;
}

/** The service takes one credential for the other. */
const taking =
  (one = '', other = '') =>
  (service: Service): Service =>
  async (request) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, value.replace(one, other)]);
    return service({ ...request, headers: Object.fromEntries(headers) });
  };

test.each([
  [
    settings.PCS_OTHER_ORG_ACCESS_TOKEN,
    'check PCS_OTHER_ORG_ACCESS_TOKEN: it must belong to a second organization; if it does, the service does not separate organizations',
  ],
  [
    settings.PCS_REVOKED_ACCESS_TOKEN,
    'check PCS_REVOKED_ACCESS_TOKEN: it must be revoked; if it is, revoking has no effect in the service',
  ],
])('a service that takes another credential for ours leaves both readings in its headline', async (token, says) => {
  const { verdict, summary } = await judged(taking(token, settings.PCS_ACCESS_TOKEN), 'ORG-ISOLATION', 'AUTH-REVOKED');
  expect([verdict, summary]).toEqual(['incomplete', expect.stringContaining(says)]);
});

test('two reasons are both in the headline, that of most cases first', async () => {
  const { reason } = await judged((service) => async (request) => {
    const isTrunk = request.method === 'PATCH' && request.target.includes('/trunks/');
    const isSearch = request.target.startsWith('/v1/numbers/available');
    if (!isTrunk && !isSearch) return service(request);
    return json(403, { success: false, error: { code: 'forbidden', message: isTrunk ? 'no trunk' : 'no search' } });
  });
  expect(reason).toMatch(/to resolve: \(1\) .*"no trunk" \(2\) .*"no search"$/);
});
