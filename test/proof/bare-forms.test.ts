/** Where a query is given for a list or the search, the path without it is asked too: a bare 4xx is lawful, the rest is judged. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import type { Profile } from '../../src/contract/operations.ts';
import { QUERY_SETTINGS } from '../../src/contract/settings.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

const QUERIES = { listNumbers: 'page=1', listTrunks: 'page=1', searchAvailableNumbers: 'country_code=US' };
const BARE = ['/v1/numbers/', '/v1/trunks/', '/v1/numbers/available'];

const INVALID: ServiceReply = {
  status: 400,
  headers: [['Content-Type', 'application/json']],
  body: '{"success":false,"error":{"code":"invalid","message":"page is missing"}}',
};

async function judged(
  profile: Profile,
  changes: Partial<RunOptions>,
  wrap: (service: Service) => Service = (one) => one,
) {
  const { service, settings } = createReference();
  const { results, record } = await judge(wrap(service), optionsFrom(settings, { profile, explore: 0, ...changes }));
  const bare = record.exchanges.filter(({ request }) => BARE.includes(request.path));
  return { results, bare, requests: record.exchanges.length };
}

const rejectingBare =
  (service: Service): Service =>
  async (request) =>
    BARE.some((path) => request.target.split('?')[0] === path) && !/page=|country_code=/.test(request.target)
      ? INVALID
      : service(request);

describe.each(['read-only', 'full'] as const)('profile %s', (profile) => {
  test('takes a bare 400, whoever asks, for lawful', async () => {
    const { results, bare } = await judged(profile, { queries: QUERIES }, rejectingBare);
    expect([results.verdict, brokenIn(results), results.questions.answered]).toEqual([
      'conformant',
      [],
      results.questions.planned,
    ]);
    for (const id of Object.keys(QUERY_SETTINGS)) {
      const forms = bare.filter(({ tag }) => tag.operation === id).map(({ request }) => request.credential);
      expect([id, forms.includes('valid'), forms.includes('none'), new Set(forms).size > 15]).toEqual([
        id,
        true,
        true,
        true,
      ]);
    }
  });

  test('sends nothing more where no query is given', async () => {
    const [without, given] = [await judged(profile, {}), await judged(profile, { queries: { listNumbers: 'page=1' } })];
    expect(without.results.questions).toEqual(given.results.questions);
    const more = given.requests - without.requests;
    expect(more).toBeGreaterThan(15);
    expect(more).toBeLessThan(40);
  });
});
