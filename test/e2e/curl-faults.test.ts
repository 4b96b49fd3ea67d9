/** The curl lines of three faults; test/long runs those of all. */

import { proveCurlLines, SHOWN_BY_HAND } from './curl-faults.ts';

proveCurlLines(SHOWN_BY_HAND.slice(0, 3));
