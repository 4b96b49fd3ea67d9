/** The second half of the planted faults. */

import { proveFaults, sampledFaults } from './fault-proof.ts';
import { partOf } from './samples.ts';

proveFaults(partOf(sampledFaults(), 2, 2));
