/** One fault, attacked in every way; test/long attacks more of them. */

import { BINDING_FAULTS, proveAttacks } from './attacks.ts';

proveAttacks(BINDING_FAULTS.slice(0, 1));
