/** What is asked of a target, in the order in which it is asked. */

import type { Suite } from '../src/run/plan.ts';
import { ALIAS_SUITE } from './aliases.ts';
import { CALL_BODY_SUITE } from './call-bodies.ts';
import { CALL_LENIENCY_SUITE } from './call-leniencies.ts';
import { CALL_SUITE, LAST_CALL_SUITE } from './calls.ts';
import { CREDENTIAL_SUITE, READ_ONLY_SUITE } from './credentials.ts';
import { EFFECT_SUITE } from './effects.ts';
import { FALLBACK_SUITE } from './fallback.ts';
import { FIELD_SUITE } from './fields.ts';
import { CALL_ID_SUITE, ID_SUITE } from './ids.ts';
import { LENIENCY_SUITE } from './leniencies.ts';
import { OBSERVED_CALLS } from './observations-calls.ts';
import { OBSERVED_READS } from './observations-reads.ts';
import { OBSERVED_UPDATES } from './observations-updates.ts';
import { OBSERVED_STATE, OBSERVED_VALUES } from './observations-values.ts';
import { ORGANIZATION_SUITE } from './organizations.ts';
import { RANDOM_SUITE } from './random.ts';
import { READ_SUITE } from './reads.ts';
import { RESTORE_SUITE } from './restore.ts';
import { SCHEME_SUITE } from './schemes.ts';
import { UPDATE_SUITE } from './updates.ts';
import { VISIBLE_SUITE } from './visible.ts';

/** Writes and calls: the full profile only. */
const WRITING: readonly Suite[] = [
  UPDATE_SUITE,
  CALL_SUITE,
  CALL_BODY_SUITE,
  RANDOM_SUITE,
  CALL_ID_SUITE,
  CALL_LENIENCY_SUITE,
  LAST_CALL_SUITE,
];

/** Writes that only a `should` asks: behind all that a `must` asks of the same resources. */
const WRITING_LATER: readonly Suite[] = [FIELD_SUITE, VISIBLE_SUITE, LENIENCY_SUITE];

/** What is noted and not judged, behind everything else of its lane. */
const OBSERVING: readonly Suite[] = [OBSERVED_UPDATES, OBSERVED_VALUES, OBSERVED_CALLS, OBSERVED_STATE];

function inFull(suite: Suite): Suite {
  return { ...suite, sequences: (kit) => (kit.options.profile === 'full' ? suite.sequences(kit) : []) };
}

/** Every suite. */
export const SUITES: readonly Suite[] = [
  READ_SUITE,
  ...WRITING.map(inFull),
  ORGANIZATION_SUITE,
  EFFECT_SUITE,
  ID_SUITE,
  ...WRITING_LATER.map(inFull),
  CREDENTIAL_SUITE,
  READ_ONLY_SUITE,
  ALIAS_SUITE,
  SCHEME_SUITE,
  FALLBACK_SUITE,
  OBSERVED_READS,
  ...OBSERVING.map(inFull),
  RESTORE_SUITE,
];
