/** The defaults of a run (conformance model, section 6). */

import { RUN_DEFAULTS } from '../contract/settings.ts';
import type { RunOptions } from './options.ts';

/** Everything but the target and its credential. */
export const DEFAULTS = {
  ...RUN_DEFAULTS,
  numbers: null,
  resources: {},
  inbound: {},
  queries: {},
  samples: {},
  profile: 'read-only',
  without: [],
  only: [],
  caseHeader: true,
} as const satisfies Omit<RunOptions, 'baseUrl' | 'credentials'>;
