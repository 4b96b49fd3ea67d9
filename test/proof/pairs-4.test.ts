/** Part 4 of the pairs of fault and variant: a thousand and more in all four. */

import { provePairs } from './pairs-shard.ts';

provePairs(4, 4, 250);
