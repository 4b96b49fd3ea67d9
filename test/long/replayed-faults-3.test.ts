/** Part 3 of the replays: every failure of every planted fault is seen again. */

import { FAULTS } from '../../fixtures/faults/index.ts';
import { proveReplays } from '../proof/replayed-faults.ts';
import { partOf } from '../proof/samples.ts';

proveReplays(partOf(FAULTS, 3, 4));
