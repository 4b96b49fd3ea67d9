/** Part 3 of the pairs of fault and variant: a thousand and more in all four. */

import { provePairs } from './pairs-shard.ts';

provePairs(3, 4, 250);
