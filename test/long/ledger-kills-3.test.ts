/** Kills a run at every request, part 3 of 4. */

import { proveKills } from '../proof/ledger-kills.ts';

proveKills(3, 4);
