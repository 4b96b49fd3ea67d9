/** Part 1 of the thousand lawful variants. */

import { proveVariants } from './variants-shard.ts';

proveVariants(1, 4);
