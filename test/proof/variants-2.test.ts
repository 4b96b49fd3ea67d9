/** Part 2 of the thousand lawful variants. */

import { proveVariants } from './variants-shard.ts';

proveVariants(2, 4);
