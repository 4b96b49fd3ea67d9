/** The questions of a request. */

import { asking } from '../src/run/builder.ts';
import type { GapId } from './observations/index.ts';
import type { RequirementId } from './report-order.ts';

/** Asks about a requirement or a gap, in one of its variations. */
export const ask = asking<RequirementId | GapId>();
