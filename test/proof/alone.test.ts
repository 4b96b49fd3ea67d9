/** A filter sends what its case leans on, so that a case alone is judged as it is in a whole run, and no more than that. */

import { describe, expect, test } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { demandJudgedAlone, firstCases } from './alone.ts';

describe('a filter', () => {
  const cases = sampled(firstCases(), 2);

  test.each(cases.items)(`for %s alone leaves nothing open (${cases.words})`, async (name) => {
    await demandJudgedAlone(name);
  });

  test('that leaves whole phases out still ends the run where the credential expires', async () => {
    const { service, settings } = createReference();
    let seen = 0;
    const expiring: Service = async (request) => {
      seen += 1;
      return seen > 12 ? json(401, ENVELOPE) : service(request);
    };
    const { results } = await judge(expiring, optionsFrom(settings, { only: ['MALFORMED-ID-REFUSED'] }));
    expect([results.verdict, results.endedEarly]).toEqual([
      'incomplete',
      expect.stringContaining('rejects the credential that it accepted before'),
    ]);
  });

  test.each([
    ['LIST-STATUS/listTrunks', 15],
    ['AUTH-STATUS-401/getTrunk', 32],
    ['AUTH-SECRET/createCall', 40],
    ['ORG-ISOLATION/getTrunk', 20],
  ])('for %s sends fewer than %i requests', async (only, most) => {
    expect((await demandJudgedAlone(only)).exchanges.length).toBeLessThan(most);
  });
});
