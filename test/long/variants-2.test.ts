/** Part 2 of the thousand lawful variants. */

import { allVariants, partOf, proveVariants } from '../proof/samples.ts';

proveVariants(partOf(allVariants(), 2, 4));
