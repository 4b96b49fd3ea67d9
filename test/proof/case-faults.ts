/** The faults of one case each, for every requirement of several operations. */

import { caseFaults } from '../../fixtures/faults/cases.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';

/** For each case of these requirements, and each field that it speaks of, a fault that fails this case alone. */
export const CASE_FAULTS = caseFaults(REQUIREMENTS);
