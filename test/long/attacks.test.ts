/** Every thirtieth of the binding faults, each attacked in every way. */

import { BINDING_FAULTS, proveAttacks } from '../proof/attacks.ts';

proveAttacks(BINDING_FAULTS.filter((_, at) => at % 30 === 15));
