/** Kills a run at every request, part 1 of 4. */

import { proveKills } from '../proof/ledger-kills.ts';

proveKills(1, 4);
