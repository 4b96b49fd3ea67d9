/** The second half of the planted faults. */

import { sampled } from '../sampled.ts';
import { proveFaults, sampledFaults } from './fault-proof.ts';
import { partOf } from './samples.ts';

const HERE = sampled(partOf(sampledFaults(), 2, 2), 9);
proveFaults(HERE.items, HERE.words);
