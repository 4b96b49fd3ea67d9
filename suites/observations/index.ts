/** The gap register: everything that the interface leaves open, by section, in the order of docs/interface.md. */

import type { Observation, Reader } from '../../src/run/choices.ts';
import { CREATE, EVERY_OPERATION, LISTS, STATUS_NOT_SHOWN, UPDATES } from '../operations.ts';
import {
  ALL,
  allow,
  answers,
  besideList,
  body,
  byForm,
  byMembers,
  CONTROLS,
  courses,
  credentials,
  ERRORS,
  headers,
  INTRUDERS,
  idForm,
  inError,
  item,
  lateness,
  length,
  link,
  members,
  OTHER_SLASH_FORMS,
  outcome,
  rates,
  record,
  SUCCESSES,
  sent,
  withCode,
} from './readers.ts';

/** A gap: the question, and what is sent or examined, and read, for it. */
const gap = (question: string, ...readers: readonly Reader[]) => ({ question, readers });

/** The gap about which fields the records of these operations have. */
const fields = (what: string, ...operations: readonly string[]) =>
  gap(`Which fields does ${what} have?`, members(SUCCESSES, record, ...operations));

/** The gap about which parameters an operation accepts. */
const parameters = (what: string) =>
  gap(
    `Which parameters does ${what} accept?`,
    sent('the parameter limit=1, compared with the response without it', [], length),
  );

/** Gaps that are not observed, and why. */
const unobserved = (reason: string) => (question: string) => ({ question, reason });

const noPath = unobserved('Their paths are not documented, and a guessed path could reach a resource of a customer.');
const notRecorded = unobserved('States are values of success bodies, and those are never recorded.');
const issued = unobserved('No documented operation issues one; the user supplies it.');
const noEvents = unobserved('Events go to the customer, and no documented operation lets the suite receive them.');
const noVersions = unobserved('It concerns future versions, and a run sees only one version.');

const ON_CALL = sent('several fields in one call: an unknown word first, then common ones if it is rejected');
const ON_TRUNK = sent(
  'an unknown word first, then common ones, only if a read shows the value, which is restored at once',
);

// biome-ignore format: one row a line
const REGISTER = {
  1: {
    'GAP-OPERATIONS-SIP-DOMAINS': noPath('Which operations do SIP domains have?'),
    'GAP-OPERATIONS-SIP-SUBSCRIBERS': noPath('Which operations do SIP subscribers have?'),
    'GAP-OPERATIONS-RECORDINGS': noPath('Which operations do recordings have?'),
    'GAP-OPERATIONS-REALTIME': noPath('Which operations do realtime credentials have?'),
    'GAP-OPERATIONS-WEBHOOKS': noPath('Which operations do webhooks have?'),
    'GAP-OPERATIONS-OTHER-GROUPS': noPath('Which further operations do the other groups have?'),
  },
  2: {
    'GAP-UPDATE-REQUIRED': gap('Which fields of an update are required?', sent('each field alone'), answers(CONTROLS, byMembers(), ...UPDATES)),
    'GAP-RING-TIMEOUT-BOUNDS': gap('Which range does ring_timeout_seconds have?', sent('zero, a negative number, 1.0 and the ends of common integer types')),
    'GAP-UPDATE-BOUNDS': gap('Which bounds do the other fields of an update have?', sent('one boundary value in every member: empty, long, unusual, of another type')),
    'GAP-VALUES-DTMF-MODE': gap('Which values does dtmf_mode accept?', ON_CALL),
    'GAP-VALUES-MEDIA-ENCRYPTION': gap('Which values does media_encryption accept?', ON_CALL),
    'GAP-VALUES-CODECS': gap('Which values can codecs list?', ON_CALL),
    'GAP-VALUES-DIRECTION': gap('Which values does direction accept?', ON_TRUNK),
    'GAP-VALUES-STATUS': gap('Which values does status accept?', ON_TRUNK),
    'GAP-VALUES-METHOD': gap('Which values does method accept?', sent('an unknown word first, then common ones if it is rejected')),
    'GAP-APPLICATION-VERSUS-TRUNK': gap('What does application_id mean next to trunk_id?', answers(CONTROLS, byMembers('application_id', 'trunk_id'), CREATE)),
    'GAP-RECORD-CALL': fields('a call', CREATE, 'hangUpCall', 'answerCall'),
    'GAP-RECORD-VOICE-APPLICATION': fields('a voice application', 'updateVoiceApplication'),
    'GAP-RECORD-TRUNK': fields('a trunk', 'getTrunk', 'updateTrunk'),
    'GAP-RECORD-NUMBER': gap('Which fields does a number have?', members(SUCCESSES, record, 'assignNumber'), members(SUCCESSES, item, 'searchAvailableNumbers')),
    'GAP-RECORD-CARRIER-PROVIDER': fields('a carrier provider', 'getCarrierProvider'),
    'GAP-RECORD-CARRIER-CONNECTION': fields('a carrier connection', 'setInboundAuth'),
    'GAP-RECORD-CONFERENCE-PARTICIPANT': fields('a conference participant', 'muteParticipant'),
    'GAP-UNKNOWN-MEMBERS': gap('What happens to unknown members?', sent('updates and a call with an unknown member')),
    'GAP-DUPLICATE-MEMBERS': gap('What happens to a duplicate member?', sent('an update with one member twice')),
    'GAP-EMPTY-UPDATE': gap('What does an update without members do?', sent('each update with an empty object')),
    'GAP-NULL-MEMBERS': gap('May an optional field that is not nullable be null?', sent('null in each optional field of updates and calls', ['NULL-REFUSED'])),
    'GAP-UUID-FORMS': gap('Which spellings of a UUID are accepted?', sent('an assignment with the connection in other spellings')),
    'GAP-INVALID-UTF8': gap('What happens to a body that is not UTF-8?', sent('updates with bytes that are not UTF-8')),
    'GAP-TRAILING-BYTES': gap('What happens to bytes after the JSON value?', sent('each operation with a body, with bytes after it', ['TRAILING-BYTES-REFUSED'])),
    // A service may look the connection up, or leave that to its database.
    'GAP-UNKNOWN-CONNECTION': gap('What does an assignment to a connection that does not exist get?', sent('a made-up UUID')),
  },
  3: {
    'GAP-STATES': notRecorded('Which states are there?'),
    'GAP-STATE-NAMES': notRecorded('What are the states called?'),
    'GAP-STATE-TRANSITIONS': gap('Which state can follow which?', courses('')),
    'GAP-HANGUP-TWICE': gap('What does a second hang-up do?', courses('hangUpCall after hangUpCall')),
    'GAP-ANSWER-AFTER-HANGUP': gap('What does answering a call do after it was hung up?', courses('answerCall after hangUpCall')),
    'GAP-MUTE-TWICE': gap('What does a second mute do?', courses('muteParticipant after muteParticipant')),
  },
  4: {
    'GAP-SUCCESS-STATUS': gap('What is the success status?', answers(SUCCESSES, outcome, ...STATUS_NOT_SHOWN)),
    'GAP-SUCCESS-BODY': gap('What does a success body contain?', members(SUCCESSES, body)),
    'GAP-LIST-ITEMS': gap('What does an item of a list look like?', members(SUCCESSES, item, ...LISTS)),
    'GAP-LIST-PAGING': gap('Are the lists paged, and how?', members(SUCCESSES, besideList, ...LISTS), answers(SUCCESSES, link, ...LISTS)),
    'GAP-QUERY-LIST-NUMBERS': parameters('list numbers'),
    'GAP-QUERY-LIST-TRUNKS': parameters('list trunks'),
    'GAP-QUERY-AVAILABLE-NUMBERS': parameters('the number search'),
    'GAP-UNKNOWN-QUERY': gap('What happens to an unknown parameter?', sent('a made-up parameter on list trunks')),
    'GAP-BODY-REQUIRED': gap('Which updates need a body?', sent('each update without a body')),
    'GAP-MEDIA-TYPE': gap('What happens to a body with another media type?', sent('each operation with a body, labelled text/plain', ['CONTENT-TYPE-OTHER'])),
    'GAP-OTHER-SLASH-FORM': gap('What does the other slash form of a path return?', answers(OTHER_SLASH_FORMS, outcome)),
    'GAP-ID-FORM': gap('What form do ids in paths have?', sent('a trunk id in upper case and undashed'), answers(SUCCESSES, idForm)),
    'GAP-UNKNOWN-ID': gap('What is the response to an unknown id?', sent('a random UUID for each id in a path')),
    'GAP-MALFORMED-ID': gap('What is the response to a malformed id?', sent('letters, quotes, %FF and long texts for each id, and on a read also %00, %2F and 10,000 digits')),
    'GAP-HEAD': gap('What is the response to HEAD?', sent('HEAD on the list of trunks')),
    'GAP-OPTIONS': gap('What is the response to OPTIONS?', sent('OPTIONS on create call', [], allow)),
    'GAP-UNKNOWN-ROUTES': gap('How does the target respond on undocumented routes?', sent('GET on a made-up route and on create call')),
  },
  5: {
    'GAP-AUTH-ISSUING': issued('How is a credential issued?'),
    'GAP-AUTH-REVOKING': gap('How is a credential revoked?', answers(credentials('revoked'), outcome)),
    'GAP-AUTH-MISSING-STATUS': gap('Which status does a missing credential get?', answers(credentials('none'), outcome)),
    'GAP-AUTH-REFUSAL-STATUS': gap('Which status does an invalid credential get?', answers(INTRUDERS, outcome)),
    'GAP-AUTH-REFUSAL-HEADERS': gap('Which header fields come with the rejection?', answers(INTRUDERS, headers)),
    'GAP-AUTH-REFUSAL-BODY': gap('What does the rejection tell the caller?', answers(INTRUDERS, withCode)),
    'GAP-AUTH-WRONG-PREFIX': gap('Does the response distinguish a wrong prefix from a wrong secret?', answers(credentials('wrong-prefix', 'wrong-secret'), byForm)),
    'GAP-AUTH-SCHEME-CASE': gap('Does the letter case of Bearer matter?', answers(credentials('lower-case-scheme'), outcome)),
  },
  6: {
    'GAP-EVENT-KINDS': noEvents('Which kinds of event are there?'),
    'GAP-EVENT-PAYLOADS': noEvents('What does the payload of an event look like?'),
    'GAP-EVENT-SIGNING': noEvents('How are events signed?'),
    'GAP-EVENT-RETRIES': noEvents('How are deliveries retried?'),
  },
  7: {
    'GAP-ERROR-CODES': gap('Which values does error.code take?', answers(ERRORS, withCode)),
    'GAP-ERROR-STATUS': gap('Which statuses do errors have?', answers(ERRORS, outcome, ...EVERY_OPERATION.filter((id) => id !== CREATE))),
    'GAP-ENVELOPE-MEMBERS': gap('Which further members does the envelope have?', members(ERRORS, body), members(ERRORS, inError)),
  },
  8: {
    'GAP-RATE-LIMITS': gap('Which rate limits are there?', sent('several reads at once'), answers(ALL, rates)),
    'GAP-SIZE-LIMITS': gap('Which size limits are there?', sent('an update of 8,000 bytes')),
    'GAP-PAGE-LIMITS': gap('Which limits does paging have?', sent('the parameter limit=100000 on list numbers', [], length)),
    'GAP-FIELD-BOUNDS': gap('Which bounds do fields have?', sent('variables of a call: many, long, empty, non-ASCII, U+0000')),
    'GAP-NESTING': gap('How deeply can a body be nested?', sent('updates with arrays 400 and 2,000 deep')),
    'GAP-LATENESS': gap('How long can a response take?', answers(ALL, lateness)),
  },
  9: {
    'GAP-COMPATIBILITY': noVersions('Which changes count as compatible?'),
    'GAP-DEPRECATION': noVersions('How is something deprecated?'),
  },
} as const satisfies Readonly<Record<number, Readonly<Record<Observation['id'], Gap>>>>;

type Gap = ReturnType<typeof gap> | ReturnType<typeof noPath>;
type IdsOf<Sections> = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections];

/** Id of a gap. */
export type GapId = IdsOf<typeof REGISTER>;

/** Every gap. */
export const OBSERVATIONS: readonly Observation[] = Object.entries(REGISTER).flatMap(([section, gaps]) =>
  Object.entries<Gap>(gaps).map(([id, gap]) => ({ id: id as GapId, section, ...gap })),
);

/** The gap with that id, or `undefined`. */
export const gapById = (id: string): Observation | undefined =>
  OBSERVATIONS.find((observation) => observation.id === id);
