/** The laws of the ledger of calls, on 2,000 sequences. */

import { test } from 'vitest';
import { proveLaws } from '../proof/ledger-model.ts';

test.each([2, 3, 4, 5])('every call is closed or named, whatever goes wrong, with seed %i', (seed) =>
  proveLaws(seed, 500),
);
