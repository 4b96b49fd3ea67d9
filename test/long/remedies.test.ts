/** Remedies in whole runs. */

import { proveRemedies } from '../proof/remedy-proof.ts';

proveRemedies('in whole runs');
