/** Part 4 of the thousand lawful variants. */

import { allVariants, partOf, proveVariants } from '../proof/samples.ts';

proveVariants(partOf(allVariants(), 4, 4));
