/** A few pairs of fault and lawful variant; test/long proves a thousand and more. */

import { allPairs, partOf, provePairs } from './samples.ts';

provePairs(partOf(allPairs(), 1, 240), 3);
