/** Gaps of sections 1 to 3: resources, their fields and their states. */

import { type Gap, observed, unobserved } from './gap.ts';

const NO_PATH = 'No path of theirs is shown, and a guessed one could meet a resource of the customer.';
const SHOWN = 'Names and types of the members of the record in accepted answers.';
const WORDS = 'An unknown word first; where it is refused, common ones.';
const ON_CALL = 'In a group with others on a call: an unknown word first; where it is refused, common ones.';

/** Gaps of section 1, all of them about operations without a path. */
export const OPERATION_GAPS: readonly Gap[] = [
  unobserved('1', 'GAP-OPERATIONS-SIP-DOMAINS', 'Which operations do SIP domains have?', NO_PATH),
  unobserved('1', 'GAP-OPERATIONS-SIP-SUBSCRIBERS', 'Which operations do SIP subscribers have?', NO_PATH),
  unobserved('1', 'GAP-OPERATIONS-RECORDINGS', 'Which operations do recordings have?', NO_PATH),
  unobserved('1', 'GAP-OPERATIONS-REALTIME', 'Which operations do realtime credentials have?', NO_PATH),
  unobserved('1', 'GAP-OPERATIONS-WEBHOOKS', 'Which operations do webhooks have?', NO_PATH),
  unobserved('1', 'GAP-OPERATIONS-OTHER-GROUPS', 'Which further operations do the other groups have?', NO_PATH),
];

/** Gaps of section 2. */
export const FIELD_GAPS: readonly Gap[] = [
  observed(
    '2',
    'GAP-UPDATE-REQUIRED',
    'Which fields of an update are required?',
    'Each field alone, and the smallest accepted bodies.',
  ),
  observed(
    '2',
    'GAP-RING-TIMEOUT-BOUNDS',
    'Which range does ring_timeout_seconds have?',
    'Zero, a negative number, both sides of what integers hold, and 1.0.',
  ),
  observed(
    '2',
    'GAP-UPDATE-BOUNDS',
    'Which bounds do the other fields of an update have?',
    'Names of the application: empty, 300 and 5,000 characters, non-ASCII, U+0000.',
  ),
  observed('2', 'GAP-VALUES-DTMF-MODE', 'Which values does dtmf_mode take?', ON_CALL),
  observed('2', 'GAP-VALUES-MEDIA-ENCRYPTION', 'Which values does media_encryption take?', ON_CALL),
  observed('2', 'GAP-VALUES-CODECS', 'Which values can codecs list?', ON_CALL),
  observed(
    '2',
    'GAP-VALUES-DIRECTION',
    'Which values does direction take?',
    `${WORDS} Only where getTrunk shows the value, which is put back at once.`,
  ),
  observed(
    '2',
    'GAP-VALUES-STATUS',
    'Which values does status take?',
    `${WORDS} Only where getTrunk shows the value, which is put back at once.`,
  ),
  observed('2', 'GAP-VALUES-METHOD', 'Which values does method take?', WORDS),
  observed(
    '2',
    'GAP-APPLICATION-VERSUS-TRUNK',
    'What do application_id and trunk_id mean side by side?',
    'Valid calls with neither, with one and with both.',
  ),
  observed('2', 'GAP-RECORD-CALL', 'Which fields does a call have?', SHOWN),
  observed('2', 'GAP-RECORD-VOICE-APPLICATION', 'Which fields does a voice application have?', SHOWN),
  observed('2', 'GAP-RECORD-TRUNK', 'Which fields does a trunk have?', SHOWN),
  observed('2', 'GAP-RECORD-NUMBER', 'Which fields does a number have?', SHOWN),
  observed('2', 'GAP-RECORD-CARRIER-PROVIDER', 'Which fields does a carrier provider have?', SHOWN),
  observed('2', 'GAP-RECORD-CARRIER-CONNECTION', 'Which fields does a carrier connection have?', SHOWN),
  observed('2', 'GAP-RECORD-CONFERENCE-PARTICIPANT', 'Which fields does a conference participant have?', SHOWN),
  observed(
    '2',
    'GAP-UNKNOWN-MEMBERS',
    'What becomes of members that are not named?',
    'An update, and a call, with one member more.',
  ),
  observed(
    '2',
    'GAP-DUPLICATE-MEMBERS',
    'What becomes of a member that is there twice?',
    'An update with one member twice.',
  ),
  observed(
    '2',
    'GAP-EMPTY-UPDATE',
    'What becomes of an update without members?',
    'Each of the three updates with an empty object.',
  ),
  observed(
    '2',
    'GAP-NULL-MEMBERS',
    'What becomes of null where no type names it?',
    'Null in each optional field of updates and calls.',
  ),
  observed(
    '2',
    'GAP-UUID-FORMS',
    'Which spellings of a UUID are read?',
    'The configured connection in other spellings, in an assignment.',
  ),
  observed(
    '2',
    'GAP-INVALID-UTF8',
    'What becomes of a body that is not UTF-8?',
    'An update with two bytes that are no UTF-8.',
  ),
  observed(
    '2',
    'GAP-TRAILING-BYTES',
    'What becomes of bytes behind the JSON value?',
    'Each operation with a body, with bytes behind it.',
  ),
];

const NAMES = 'States are values of success bodies, and those are never recorded.';
const ACTIONS = 'Hang-ups and answers of one call, in the order in which they were accepted.';

/** Gaps of section 3. */
export const STATE_GAPS: readonly Gap[] = [
  unobserved('3', 'GAP-STATES', 'Which states are there?', NAMES),
  unobserved('3', 'GAP-STATE-NAMES', 'What are the states called?', NAMES),
  observed('3', 'GAP-STATE-TRANSITIONS', 'Which state can follow which?', ACTIONS),
  observed('3', 'GAP-HANGUP-TWICE', 'What becomes of a second hang-up?', 'A hang-up of a call that was hung up.'),
  observed(
    '3',
    'GAP-ANSWER-AFTER-HANGUP',
    'What becomes of an answer after the hang-up?',
    'An answer of a call that was hung up.',
  ),
  observed('3', 'GAP-MUTE-TWICE', 'What becomes of a second mute?', 'A mute of a participant that was muted.'),
];
