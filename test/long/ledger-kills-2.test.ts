/** Kills a run at every request, part 2 of 4. */

import { proveKills } from '../proof/ledger-kills.ts';

proveKills(2, 4);
