/** What is asked of a target, in the order in which it is asked. */

import type { Suite } from '../src/engine/plan.ts';
import { ALIAS_SUITE } from './aliases.ts';
import { CALL_BODY_SUITE } from './call-bodies.ts';
import { CALL_SUITE, LAST_CALL_SUITE } from './calls.ts';
import { CREDENTIAL_SUITE, READ_ONLY_SUITE } from './credentials.ts';
import { EFFECT_SUITE } from './effects.ts';
import { FALLBACK_SUITE } from './fallback.ts';
import { ORGANIZATION_SUITE } from './organizations.ts';
import { READ_SUITE } from './reads.ts';
import { RESTORE_SUITE } from './restore.ts';
import { UPDATE_SUITE } from './updates.ts';

/** Writes and calls: the full profile only. */
const WRITING: readonly Suite[] = [UPDATE_SUITE, CALL_SUITE, CALL_BODY_SUITE, LAST_CALL_SUITE];

function inFull(suite: Suite): Suite {
  return { ...suite, sequences: (kit) => (kit.options.profile === 'full' ? suite.sequences(kit) : []) };
}

/** Every suite. */
export const SUITES: readonly Suite[] = [
  READ_SUITE,
  ...WRITING.map(inFull),
  ORGANIZATION_SUITE,
  EFFECT_SUITE,
  ALIAS_SUITE,
  CREDENTIAL_SUITE,
  READ_ONLY_SUITE,
  FALLBACK_SUITE,
  RESTORE_SUITE,
];
