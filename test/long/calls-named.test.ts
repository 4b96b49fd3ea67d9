/** The services with chaotic answers that `npm test` leaves out. */

import { proveNoCallIsLost } from '../proof/chaotic-answers.ts';

proveNoCallIsLost(Array.from({ length: 56 }, (_, at) => at + 4));
