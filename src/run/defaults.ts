/** What a run does unless it is told otherwise (conformance model, section 6). */

import type { RunOptions } from './options.ts';

/** Everything but the target and its credential. */
export const DEFAULTS = {
  numbers: null,
  resources: {},
  inbound: {},
  samples: {},
  profile: 'read-only',
  without: [],
  strict: false,
  seed: 20250101,
  runs: 0,
  only: [],
  concurrency: 8,
  rate: 0,
  maxRequests: 2000,
  maxCalls: 12,
  maxWait: 300_000,
  timeout: 10_000,
  callTimeout: 60_000,
  fullEvidence: false,
  caseHeader: true,
} as const satisfies Omit<RunOptions, 'baseUrl' | 'credentials'>;
