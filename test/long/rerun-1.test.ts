/** Part 1 of the recorded runs of all faults, single choices and null services, run again. */

import { proveReruns } from '../proof/reruns.ts';

proveReruns(1, 2);
