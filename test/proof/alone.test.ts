/** A filter sends what its case leans on, so that a case alone is judged as it is in a whole run, and no more than that. */

import { describe, expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
import { casesOf } from '../../src/selftest/judged.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';

const MUST = REQUIREMENTS.filter(({ level }) => level === 'must');

async function alone(only: string) {
  const { service, settings } = createReference();
  return judge(service, optionsFrom(settings, { only: [only] }));
}

describe('a filter', () => {
  test.each(MUST.map(({ id, operations }) => ({ id, operations })))(
    'for each case of $id alone leaves none open',
    async ({ id, operations }) => {
      for (const operation of operations) {
        const { results } = await alone(`${id}/${operation}`);
        expect(results.partial).toBe(true);
        expect(casesOf(results).map((one) => [one.id, ['pass', 'not-exercised'].includes(one.verdict)])).toEqual([
          [`${id}/${operation}`, true],
        ]);
      }
    },
  );

  test.each([
    ['LIST-STATUS/listTrunks', 15],
    ['AUTH-STATUS-401/getTrunk', 32],
    ['AUTH-SECRET/createCall', 40],
    ['ORG-ISOLATION/getTrunk', 20],
  ])('for %s sends fewer than %i requests', async (only, most) => {
    expect((await alone(only)).record.exchanges.length).toBeLessThan(most);
  });
});
