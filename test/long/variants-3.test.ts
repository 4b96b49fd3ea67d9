/** Part 3 of the thousand lawful variants. */

import { allVariants, partOf, proveVariants } from '../proof/samples.ts';

proveVariants(partOf(allVariants(), 3, 4));
