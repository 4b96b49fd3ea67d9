/** The gap register: everything that the interface leaves open, by section, in the order of docs/interface.md. */

import type { OperationId } from '../../src/contract/operations.ts';
import type { Observation, ReadChoices } from '../../src/run/requirement.ts';
import { statusOf } from '../../src/verdict/answer.ts';
import type { RequirementId } from '../catalogue.ts';
import { LISTS } from '../operations.ts';
import { allOf, asked, outcomePhrase, perExchange, perOperation } from './choices.ts';
import {
  codeOf,
  furtherMembers,
  headers,
  isDocumentedError,
  isInvalidCredential,
  isRejectedCredential,
  lateness,
  outcomes,
  rates,
  withForm,
  withStatus,
  wrongPrefix,
} from './errors.ts';
import {
  after,
  courses,
  ofAcceptedIds,
  ofOtherSlashForm,
  ofUpdates,
  ofValidCalls,
  transition,
  withAllow,
  withLength,
} from './requests.ts';
import { besides, bodyShapes, items, ofSuccesses, openStatus, records } from './successes.ts';

/** A requirement, in all or in one of its variations, whose probes show a choice as well. */
type Shown = { readonly id: RequirementId; readonly variation?: string };
type Observed = Extract<Observation, { probe: string }>;
type Gap = Omit<Observed, 'id' | 'section'> | { readonly question: string; readonly reason: string };

/** A gap that its own requests ask, or those of the requirements in `also`, unless other answers show it as well. */
const gap = (question: string, probe: string, read: ReadChoices = asked(), also: readonly Shown[] = []): Gap => {
  return { question, probe, also, read };
};

/** The gap which fields the records have that these operations return. */
const fieldsGap = (what: string, ...operations: readonly OperationId[]): Gap =>
  gap(`Which fields does ${what} have?`, SHOWN, records(...operations));

/** The gap which parameters an operation accepts. */
const parameterGap = (what: string): Gap => gap(`Which parameters does ${what} accept?`, PARAMETER, asked(withLength));

/** A gap that is not observed, for a reason. */
const unobserved = (question: string, reason: string): Gap => ({ question, reason });

const NO_PATH = 'Their paths are not documented, and a guessed path could reach a resource of a customer.';
const NOT_RECORDED = 'States are values of success bodies, and those are never recorded.';
const ISSUED = 'No documented operation issues one; the user supplies it.';
const NO_EVENTS = 'Events go to the customer, and no documented operation lets the suite receive them.';
const NO_VERSIONS = 'It concerns future versions, and a run sees only one version.';

const BOUNDS = 'Zero, a negative number, the limits of common integer types, and 1.0.';
const IN_EVERY_MEMBER =
  'The same boundary value in every member: empty, long, quotes, unusual characters, other types, deep nesting.';
const ON_CALL = 'Several fields in one call: an unknown word first, then common ones if it is rejected.';
const WORDS = 'An unknown word first, then common ones if it is rejected.';
const ON_TRUNK = `${WORDS} Only if a read shows the value, which is restored at once.`;
const SHOWN = 'Names and types of the members of the record in accepted responses.';
const PARAMETER = 'The parameter limit=1, compared with the response without it.';
const STRANGE_IDS =
  'Three letters, an apostrophe with a percent sign, %FF and a long, non-ASCII text for each id; on a read also %00, %2F and 10,000 characters.';
const REJECTIONS = 'The responses to invalid credentials on each operation.';

const REGISTER = {
  1: {
    'GAP-OPERATIONS-SIP-DOMAINS': unobserved('Which operations do SIP domains have?', NO_PATH),
    'GAP-OPERATIONS-SIP-SUBSCRIBERS': unobserved('Which operations do SIP subscribers have?', NO_PATH),
    'GAP-OPERATIONS-RECORDINGS': unobserved('Which operations do recordings have?', NO_PATH),
    'GAP-OPERATIONS-REALTIME': unobserved('Which operations do realtime credentials have?', NO_PATH),
    'GAP-OPERATIONS-WEBHOOKS': unobserved('Which operations do webhooks have?', NO_PATH),
    'GAP-OPERATIONS-OTHER-GROUPS': unobserved('Which further operations do the other groups have?', NO_PATH),
  },
  2: {
    'GAP-UPDATE-REQUIRED': gap(
      'Which fields of an update are required?',
      'Each field alone, and the smallest accepted bodies.',
      allOf(asked(), ofUpdates),
      [{ id: 'UPDATE-FIELD-ALONE' }],
    ),
    'GAP-RING-TIMEOUT-BOUNDS': gap('Which range does ring_timeout_seconds have?', BOUNDS),
    'GAP-UPDATE-BOUNDS': gap('Which bounds do the other fields of an update have?', IN_EVERY_MEMBER),
    'GAP-VALUES-DTMF-MODE': gap('Which values does dtmf_mode accept?', ON_CALL),
    'GAP-VALUES-MEDIA-ENCRYPTION': gap('Which values does media_encryption accept?', ON_CALL),
    'GAP-VALUES-CODECS': gap('Which values can codecs list?', ON_CALL),
    'GAP-VALUES-DIRECTION': gap('Which values does direction accept?', ON_TRUNK),
    'GAP-VALUES-STATUS': gap('Which values does status accept?', ON_TRUNK),
    'GAP-VALUES-METHOD': gap('Which values does method accept?', WORDS),
    'GAP-APPLICATION-VERSUS-TRUNK': gap(
      'What does application_id mean next to trunk_id?',
      'Valid calls with neither, with one and with both.',
      ofValidCalls,
    ),
    'GAP-RECORD-CALL': fieldsGap('a call', 'createCall', 'hangUpCall', 'answerCall'),
    'GAP-RECORD-VOICE-APPLICATION': fieldsGap('a voice application', 'updateVoiceApplication'),
    'GAP-RECORD-TRUNK': fieldsGap('a trunk', 'getTrunk', 'updateTrunk'),
    'GAP-RECORD-NUMBER': gap(
      'Which fields does a number have?',
      SHOWN,
      allOf(records('assignNumber'), perOperation(items, ofSuccesses(['searchAvailableNumbers']))),
    ),
    'GAP-RECORD-CARRIER-PROVIDER': fieldsGap('a carrier provider', 'getCarrierProvider'),
    'GAP-RECORD-CARRIER-CONNECTION': fieldsGap('a carrier connection', 'setInboundAuth'),
    'GAP-RECORD-CONFERENCE-PARTICIPANT': fieldsGap('a conference participant', 'muteParticipant'),
    'GAP-UNKNOWN-MEMBERS': gap('What happens to unknown members?', 'An update and a call with one unknown member.'),
    'GAP-DUPLICATE-MEMBERS': gap('What happens to a duplicate member?', 'An update with one member twice.'),
    'GAP-EMPTY-UPDATE': gap(
      'What does an update without members do?',
      'Each of the three updates with an empty object.',
    ),
    'GAP-NULL-MEMBERS': gap(
      'May an optional field that is not nullable be null?',
      'Null in each optional field of updates and calls.',
      asked(),
      [{ id: 'NULL-REFUSED' }],
    ),
    'GAP-UUID-FORMS': gap(
      'Which spellings of a UUID are accepted?',
      'The configured connection in other spellings, in an assignment.',
    ),
    'GAP-INVALID-UTF8': gap(
      'What happens to a body that is not UTF-8?',
      'An update with two bytes that are not UTF-8.',
    ),
    'GAP-TRAILING-BYTES': gap(
      'What happens to bytes after the JSON value?',
      'Each operation with a body, with bytes after it.',
      asked(),
      [{ id: 'TRAILING-BYTES-REFUSED' }],
    ),
    // A service may look the connection up, or leave that to its database.
    'GAP-UNKNOWN-CONNECTION': gap(
      'What is the response to an assignment to a connection that does not exist?',
      'A made-up UUID.',
    ),
  },
  3: {
    'GAP-STATES': unobserved('Which states are there?', NOT_RECORDED),
    'GAP-STATE-NAMES': unobserved('What are the states called?', NOT_RECORDED),
    'GAP-STATE-TRANSITIONS': gap(
      'Which state can follow which?',
      'Hang-ups and answers of one call, in the order in which they were accepted.',
      courses(transition),
    ),
    'GAP-HANGUP-TWICE': gap(
      'What does a second hang-up do?',
      'Hanging up a call that was already hung up.',
      courses(after('hang-up', 'hang-up')),
    ),
    'GAP-ANSWER-AFTER-HANGUP': gap(
      'What does answering a call do after it was hung up?',
      'Answering a call that was already hung up.',
      courses(after('hang-up', 'answer')),
    ),
    'GAP-MUTE-TWICE': gap(
      'What does a second mute do?',
      'Muting a participant who is already muted.',
      courses(after('mute', 'mute')),
    ),
  },
  4: {
    'GAP-SUCCESS-STATUS': gap(
      'What is the success status?',
      'Statuses of accepted requests.',
      perExchange(openStatus, ofSuccesses()),
    ),
    'GAP-SUCCESS-BODY': gap(
      'What does a success body contain?',
      'Names and types of its top-level members.',
      perOperation(bodyShapes, ofSuccesses()),
    ),
    'GAP-LIST-ITEMS': gap(
      'What does an item of a list look like?',
      'Names and types of the members of its items.',
      perOperation(items, ofSuccesses(LISTS)),
    ),
    'GAP-LIST-PAGING': gap(
      'Are the lists paged, and how?',
      'The members next to the items, and the Link header.',
      perOperation(besides, ofSuccesses(LISTS)),
    ),
    'GAP-QUERY-LIST-NUMBERS': parameterGap('list numbers'),
    'GAP-QUERY-LIST-TRUNKS': parameterGap('list trunks'),
    'GAP-QUERY-AVAILABLE-NUMBERS': parameterGap('the number search'),
    'GAP-UNKNOWN-QUERY': gap('What happens to an unknown parameter?', 'A made-up parameter on list trunks.'),
    'GAP-BODY-REQUIRED': gap('Which updates need a body?', 'The updates and the assignment without a body.', asked(), [
      { id: 'NUMBER-ASSIGN-INVALID', variation: 'there is no body' },
    ]),
    'GAP-MEDIA-TYPE': gap(
      'What happens to a body with another media type?',
      'Each operation with a body, labelled text/plain.',
      asked(),
      [{ id: 'CONTENT-TYPE-OTHER' }],
    ),
    'GAP-OTHER-SLASH-FORM': gap(
      'What does the other slash form of a path return?',
      'Each path in that form.',
      ofOtherSlashForm,
    ),
    'GAP-ID-FORM': gap(
      'What form do ids in paths have?',
      'The ids of accepted requests; a trunk id in upper case and undashed.',
      allOf(asked(), ofAcceptedIds),
    ),
    'GAP-UNKNOWN-ID': gap('What is the response to an unknown id?', 'A random UUID for each id in a path.', asked(), [
      { id: 'UNKNOWN-ID-REFUSED' },
    ]),
    'GAP-MALFORMED-ID': gap('What is the response to a malformed id?', STRANGE_IDS, asked(), [
      { id: 'MALFORMED-ID-REFUSED' },
    ]),
    'GAP-HEAD': gap('What is the response to HEAD?', 'HEAD on the list of trunks.'),
    'GAP-OPTIONS': gap('What is the response to OPTIONS?', 'OPTIONS on create call.', asked(withAllow)),
    'GAP-UNKNOWN-ROUTES': gap(
      'How does the target respond on undocumented routes?',
      'GET on a made-up route, and on create call.',
    ),
  },
  5: {
    'GAP-AUTH-ISSUING': unobserved('How is a credential issued?', ISSUED),
    'GAP-AUTH-REVOKING': gap(
      'How is a credential revoked?',
      'The response to a revoked credential, if one is configured.',
      perExchange((exchange) => `a revoked one: ${outcomePhrase(exchange)}`, withForm('revoked')),
    ),
    'GAP-AUTH-MISSING-STATUS': gap(
      'Which status does a missing credential get?',
      REJECTIONS,
      perExchange(outcomePhrase, withForm('none')),
    ),
    'GAP-AUTH-REFUSAL-STATUS': gap(
      'Which status does an invalid credential get?',
      REJECTIONS,
      perOperation(outcomes, (exchange) => isInvalidCredential(exchange) && !withForm('none')(exchange)),
    ),
    'GAP-AUTH-REFUSAL-HEADERS': gap(
      'Which header fields come with the rejection?',
      REJECTIONS,
      perExchange(withStatus(headers), isRejectedCredential),
    ),
    'GAP-AUTH-REFUSAL-BODY': gap(
      'What does the rejection tell the caller?',
      REJECTIONS,
      perExchange(withStatus(codeOf), isRejectedCredential),
    ),
    'GAP-AUTH-WRONG-PREFIX': gap(
      'Does the response distinguish a wrong prefix from a wrong secret?',
      'Both on each operation, compared.',
      perOperation(wrongPrefix, (exchange) => withForm('wrong-prefix')(exchange) || withForm('wrong-secret')(exchange)),
    ),
    'GAP-AUTH-SCHEME-CASE': gap(
      'Does the letter case of Bearer matter?',
      'The valid credential with the scheme written bearer.',
      asked(outcomePhrase, () => true),
      [{ id: 'AUTH-SCHEME-CASE' }],
    ),
  },
  6: {
    'GAP-EVENT-KINDS': unobserved('Which kinds of event are there?', NO_EVENTS),
    'GAP-EVENT-PAYLOADS': unobserved('What does the payload of an event look like?', NO_EVENTS),
    'GAP-EVENT-SIGNING': unobserved('How are events signed?', NO_EVENTS),
    'GAP-EVENT-RETRIES': unobserved('How are deliveries retried?', NO_EVENTS),
  },
  7: {
    'GAP-ERROR-CODES': gap(
      'Which values does error.code take?',
      'The codes of all errors in the run.',
      perExchange(withStatus(codeOf), isDocumentedError),
    ),
    'GAP-ERROR-STATUS': gap(
      'Which statuses do errors have?',
      'The statuses of all errors except those of create call.',
      perExchange(
        (exchange) => String(statusOf(exchange)),
        (exchange) => isDocumentedError(exchange) && exchange.tag.operation !== 'createCall',
      ),
    ),
    'GAP-ENVELOPE-MEMBERS': gap(
      'Which further members does the envelope have?',
      'The members of all errors in the run.',
      perExchange(furtherMembers, isDocumentedError),
    ),
  },
  8: {
    'GAP-RATE-LIMITS': gap(
      'Which rate limits are there?',
      'Header names, 429 responses, and concurrent reads.',
      allOf(asked(), perOperation(rates)),
    ),
    'GAP-SIZE-LIMITS': gap('Which size limits are there?', 'An update of 8,000 bytes.'),
    'GAP-PAGE-LIMITS': gap(
      'Which limits does paging have?',
      'A parameter limit=100000 on list numbers.',
      asked(withLength),
    ),
    'GAP-FIELD-BOUNDS': gap(
      'Which bounds do fields have?',
      'Variables of a call: many, long, empty, non-ASCII, U+0000.',
    ),
    'GAP-NESTING': gap('How deeply can a body be nested?', 'An update with arrays 400 deep in an unknown member.'),
    // An exact time is never recorded as a choice.
    'GAP-LATENESS': gap(
      'How long can a response take?',
      'Whether any response took more than ten seconds.',
      perOperation(lateness),
    ),
  },
  9: {
    'GAP-COMPATIBILITY': unobserved('Which changes count as compatible?', NO_VERSIONS),
    'GAP-DEPRECATION': unobserved('How is something deprecated?', NO_VERSIONS),
  },
} as const satisfies Readonly<Record<number, Readonly<Record<Observation['id'], Gap>>>>;

type IdsOf<Sections> = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections];

/** Id of a gap. */
export type GapId = IdsOf<typeof REGISTER>;

/** Every gap. */
export const OBSERVATIONS: readonly Observation[] = Object.entries(REGISTER).flatMap(([section, gaps]) =>
  Object.entries<Gap>(gaps).map(([id, one]) => ({ id: id as GapId, section, ...one })),
);

/** The gap with that id, or `undefined`. */
export function gapById(id: string): Observation | undefined {
  return OBSERVATIONS.find((one) => one.id === id);
}
