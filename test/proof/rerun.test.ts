/** One recorded run in eighty, run again; test/long runs all of them again. */

import { proveReruns } from './reruns.ts';

proveReruns(1, 80);
