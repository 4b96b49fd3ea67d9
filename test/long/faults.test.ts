/** The planted faults that `npm test` leaves out. */

import { otherFaults, proveFaults } from '../proof/fault-proof.ts';

proveFaults(otherFaults(), 'the others');
