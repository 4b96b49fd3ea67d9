/** One recorded run in 300, run again; test/long runs all of them again. */

import { proveReruns } from './reruns.ts';

proveReruns(1, 300);
