/** The curl line of every fault that a line alone can show. */

import { proveCurlLines, SHOWN_BY_HAND } from '../e2e/curl-faults.ts';

proveCurlLines(SHOWN_BY_HAND);
