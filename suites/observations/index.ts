/** The gap register: everything that the interface leaves open, in the order of docs/interface.md. */

import type { Observation } from '../../src/run/requirement.ts';
import { ACTION_GAPS } from './actions.ts';
import { CALL_VALUE_GAPS, GAP_APPLICATION_VERSUS_TRUNK, GAP_FIELD_BOUNDS } from './calls.ts';
import { unobserved } from './choices.ts';
import { CREDENTIAL_GAPS, ERROR_GAPS, GAP_LATENESS, GAP_RATE_LIMITS } from './errors.ts';
import { GAP_PAGE_LIMITS, PATH_GAPS, QUERY_GAPS } from './reads.ts';
import { RECORD_GAPS, SUCCESS_GAPS } from './successes.ts';
import { BODY_GAPS, BOUND_GAPS, GAP_NESTING, GAP_SIZE_LIMITS, GAP_UPDATE_REQUIRED, tolerated } from './updates.ts';
import { GAP_UNKNOWN_CONNECTION, GAP_UUID_FORMS, VALUE_GAPS } from './values.ts';

const NO_PATH = 'Their paths are not documented, and a guessed path could reach a resource of a customer.';
const NAMES = 'States are values of success bodies, and those are never recorded.';
const NO_EVENTS = 'Events go to the customer, and no documented operation lets the suite receive them.';
const NO_VERSIONS = 'It concerns future versions, and a run sees only one version.';

/** Every gap. */
export const OBSERVATIONS: readonly Observation[] = [
  unobserved('GAP-OPERATIONS-SIP-DOMAINS', '1', 'Which operations do SIP domains have?', NO_PATH),
  unobserved('GAP-OPERATIONS-SIP-SUBSCRIBERS', '1', 'Which operations do SIP subscribers have?', NO_PATH),
  unobserved('GAP-OPERATIONS-RECORDINGS', '1', 'Which operations do recordings have?', NO_PATH),
  unobserved('GAP-OPERATIONS-REALTIME', '1', 'Which operations do realtime credentials have?', NO_PATH),
  unobserved('GAP-OPERATIONS-WEBHOOKS', '1', 'Which operations do webhooks have?', NO_PATH),
  unobserved('GAP-OPERATIONS-OTHER-GROUPS', '1', 'Which further operations do the other groups have?', NO_PATH),
  GAP_UPDATE_REQUIRED,
  ...BOUND_GAPS,
  ...CALL_VALUE_GAPS,
  ...VALUE_GAPS,
  GAP_APPLICATION_VERSUS_TRUNK,
  ...RECORD_GAPS,
  ...tolerated(GAP_UUID_FORMS),
  GAP_UNKNOWN_CONNECTION,
  unobserved('GAP-STATES', '3', 'Which states are there?', NAMES),
  unobserved('GAP-STATE-NAMES', '3', 'What are the states called?', NAMES),
  ...ACTION_GAPS,
  ...SUCCESS_GAPS,
  ...QUERY_GAPS,
  ...BODY_GAPS,
  ...PATH_GAPS,
  ...CREDENTIAL_GAPS,
  unobserved('GAP-EVENT-KINDS', '6', 'Which kinds of event are there?', NO_EVENTS),
  unobserved('GAP-EVENT-PAYLOADS', '6', 'What does the payload of an event look like?', NO_EVENTS),
  unobserved('GAP-EVENT-SIGNING', '6', 'How are events signed?', NO_EVENTS),
  unobserved('GAP-EVENT-RETRIES', '6', 'How are deliveries retried?', NO_EVENTS),
  ...ERROR_GAPS,
  GAP_RATE_LIMITS,
  GAP_SIZE_LIMITS,
  GAP_PAGE_LIMITS,
  GAP_FIELD_BOUNDS,
  GAP_NESTING,
  GAP_LATENESS,
  unobserved('GAP-COMPATIBILITY', '9', 'Which changes count as compatible?', NO_VERSIONS),
  unobserved('GAP-DEPRECATION', '9', 'How is something deprecated?', NO_VERSIONS),
];

/** The gap with that id, or `undefined`. */
export function gapById(id: string): Observation | undefined {
  return OBSERVATIONS.find((one) => one.id === id);
}
