/** Part 3 of the faults that are not the first of their requirement. */

import { otherFaults, proveFaults } from '../proof/five-readings.ts';
import { partOf } from '../proof/samples.ts';

proveFaults(partOf(otherFaults(), 3, 4), 'part 3 of 4');
