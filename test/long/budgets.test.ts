/** The faults under low caps that `npm test` leaves out. */

import { DANGEROUS, proveLowCaps } from '../proof/budgets.ts';
import { partOf } from '../proof/samples.ts';

for (const part of [2, 3]) proveLowCaps(partOf(DANGEROUS, part, 3));
