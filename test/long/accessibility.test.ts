/** The pages of whole runs are accessible; each has more than ten thousand elements. */

import { proveAccessible } from '../browser/accessible.ts';
import { faultyRun, referenceRun } from '../unit/report/real-runs.ts';

proveAccessible({ 'a failing run': faultyRun, 'a conformant run': referenceRun });
