/** Part 4 of the faults that are not the first of their requirement. */

import { otherFaults, proveFaults } from '../proof/five-readings.ts';
import { partOf } from '../proof/samples.ts';

proveFaults(partOf(otherFaults(), 4, 4), 'part 4 of 4');
