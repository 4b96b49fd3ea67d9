/** Every check on a `should` requirement; a finding of theirs is a warning. */

import type { Check } from './check.ts';
import { SHOULD_ACCESS } from './should-access.ts';
import { SHOULD_BODIES } from './should-bodies.ts';
import { SHOULD_IDS } from './should-ids.ts';
import { SHOULD_RECORDS } from './should-records.ts';

/** Stands behind the other checks: of equal findings of one exchange that of the `must` requirement counts. */
export const SHOULD_CHECKS: readonly Check[] = [...SHOULD_ACCESS, ...SHOULD_IDS, ...SHOULD_BODIES, ...SHOULD_RECORDS];
