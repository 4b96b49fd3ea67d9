/** Runs under low caps that `npm test` leaves out: of faults, and of null services. */

import { test } from 'vitest';
import { NULLS } from '../../fixtures/null/index.ts';
import { DANGEROUS, proveLowCaps } from '../proof/budgets.ts';
import { demandFewCalls } from '../proof/few-calls.ts';
import { partOf } from '../proof/samples.ts';

for (const part of [2, 3, 4, 5, 6]) proveLowCaps(partOf(DANGEROUS, part, 6));

test.each([2, 3, 4].flatMap((part) => [...partOf(NULLS, part, 4)]))(
  'the null service $name gets no more than the calls that are allowed',
  demandFewCalls,
);
