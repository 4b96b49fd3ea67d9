/** Part 3 of the thousand lawful variants. */

import { proveVariants } from './variants-shard.ts';

proveVariants(3, 4);
