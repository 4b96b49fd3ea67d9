/** A filter sends what its case leans on, so that a case alone is judged as it is in a whole run, and no more than that. */

import { describe, expect, test } from 'vitest';
import { demandJudgedAlone, firstCases } from './alone.ts';

describe('a filter', () => {
  test.each(firstCases())('for %s alone leaves nothing open', async (name) => {
    await demandJudgedAlone(name);
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
