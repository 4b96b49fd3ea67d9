/** Kills a run at every request, part 4 of 4. */

import { proveKills } from '../proof/ledger-kills.ts';

proveKills(4, 4);
