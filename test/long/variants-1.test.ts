/** Part 1 of the thousand lawful variants. */

import { allVariants, partOf, proveVariants } from '../proof/samples.ts';

proveVariants(partOf(allVariants(), 1, 4));
