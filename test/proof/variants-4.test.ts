/** Part 4 of the thousand lawful variants. */

import { proveVariants } from './variants-shard.ts';

proveVariants(4, 4);
