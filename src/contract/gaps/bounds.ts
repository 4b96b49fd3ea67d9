/** Gaps of sections 6 to 9: events, errors, limits and versions. */

import { type Gap, observed, unobserved } from './gap.ts';

const NO_EVENTS = 'Events go to the customer, and no operation that is shown lets the suite receive them.';
const NO_VERSIONS = 'It is about versions to come, and one run meets one version.';

/** Gaps of section 6. */
export const EVENT_GAPS: readonly Gap[] = [
  unobserved('6', 'GAP-EVENT-KINDS', 'Which kinds of event are there?', NO_EVENTS),
  unobserved('6', 'GAP-EVENT-PAYLOADS', 'Which shape has the payload of an event?', NO_EVENTS),
  unobserved('6', 'GAP-EVENT-SIGNING', 'How are events signed?', NO_EVENTS),
  unobserved('6', 'GAP-EVENT-RETRIES', 'Which rules do retries follow?', NO_EVENTS),
];

/** Gaps of section 7. */
export const ERROR_GAPS: readonly Gap[] = [
  observed('7', 'GAP-ERROR-CODES', 'Which values does error.code take?', 'Codes of all errors of the run.'),
  observed('7', 'GAP-ERROR-STATUS', 'Which statuses do errors have?', 'Statuses of all errors, create call apart.'),
  observed(
    '7',
    'GAP-ENVELOPE-MEMBERS',
    'Which further members does the envelope have?',
    'Members of all errors of the run.',
  ),
];

/** Gaps of section 8. */
export const LIMIT_GAPS: readonly Gap[] = [
  observed(
    '8',
    'GAP-RATE-LIMITS',
    'Which rate limits are there?',
    'Header names, answers of 429, and reads at the same time.',
  ),
  observed('8', 'GAP-SIZE-LIMITS', 'Which limits of size are there?', 'An update of 8,000 bytes.'),
  observed('8', 'GAP-PAGE-LIMITS', 'Which limits does paging have?', 'A parameter limit=100000 on list numbers.'),
  observed(
    '8',
    'GAP-FIELD-BOUNDS',
    'Which bounds do fields have?',
    'Variables of a call: many, long, empty, non-ASCII, U+0000.',
  ),
  observed(
    '8',
    'GAP-NESTING',
    'How deep can a body be nested?',
    'An update with arrays 400 deep in an unknown member.',
  ),
  observed('8', 'GAP-LATENESS', 'How long can an answer take?', 'Whether any answer took over ten seconds.'),
];

/** Gaps of section 9. */
export const VERSION_GAPS: readonly Gap[] = [
  unobserved('9', 'GAP-COMPATIBILITY', 'Which changes stay compatible?', NO_VERSIONS),
  unobserved('9', 'GAP-DEPRECATION', 'How is something deprecated?', NO_VERSIONS),
];
