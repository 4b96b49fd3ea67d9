/** A few of the thousand lawful variants; test/long proves all of them. */

import { allVariants, partOf, proveVariants } from './samples.ts';

proveVariants(partOf(allVariants(), 1, 300));
