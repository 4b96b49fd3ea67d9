/** What a request asks. */

import { asking } from '../src/run/builder.ts';
import type { RequirementId } from './catalogue.ts';
import type { GapId } from './observations/index.ts';

/** Asks a requirement, or a gap, in one of its variations. */
export const ask = asking<RequirementId | GapId>();
