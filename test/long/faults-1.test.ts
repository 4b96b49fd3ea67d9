/** Part 1 of the faults that are not the first of their requirement. */

import { otherFaults, proveFaults } from '../proof/five-readings.ts';
import { partOf } from '../proof/samples.ts';

proveFaults(partOf(otherFaults(), 1, 4), 'part 1 of 4');
