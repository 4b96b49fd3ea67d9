/** Part 4 of the pairs of fault and variant: a thousand and more in all four. */

import { allPairs, partOf, provePairs } from '../proof/samples.ts';

provePairs(partOf(allPairs(), 4, 4), 250);
