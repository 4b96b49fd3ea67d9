/** Every check, in no particular order: the ladder decides between findings. */

import { ACCESS_CHECKS } from './access.ts';
import { BODY_CHECKS } from './bodies.ts';
import type { Check } from './check.ts';
import { FOREIGN_CHECKS } from './foreign.ts';
import { INVARIANTS } from './invariants.ts';
import { SHOULD_CHECKS } from './should.ts';
import { VALID } from './valid.ts';

export type { Check } from './check.ts';
export { Evidence, type RunFacts } from './evidence.ts';
export type { Finding, Opinion } from './opinion.ts';
export { MOST_REPETITIONS, persistentSymptoms } from './repetition.ts';

/** All checks; each requirement of the catalogue has exactly one. */
export const CHECKS: readonly Check[] = [
  ...VALID,
  ...ACCESS_CHECKS,
  ...FOREIGN_CHECKS,
  ...BODY_CHECKS,
  ...INVARIANTS,
  ...SHOULD_CHECKS,
];
