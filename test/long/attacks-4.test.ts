/** Part 4 of the faults, each attacked in every way. */

import { BINDING_FAULTS, proveAttacks, proveSignedAttacks } from '../proof/attack-proof.ts';
import { partOf } from '../proof/samples.ts';

const part = partOf(BINDING_FAULTS, 4, 4);

proveAttacks(part, () => true);
proveSignedAttacks(part.filter((_, at) => at % 20 === 0));
