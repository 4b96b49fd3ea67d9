/** Part 1 of the pairs of fault and variant: a thousand and more in all four. */

import { provePairs } from './pairs-shard.ts';

provePairs(1, 4, 250);
