/** Gaps about success responses (sections 2 and 4): statuses, shapes of bodies, records, lists and paging. */

import { type OperationId, operationById } from '../../src/contract/operations.ts';
import type { Exchange, RecordedBody } from '../../src/exchange/exchange.ts';
import type { Observation, ReadChoices } from '../../src/run/requirement.ts';
import { bodyOf, headerOf, isAccepted, isOurs, statusOf } from '../../src/verdict/answer.ts';
import { EVERY_OPERATION, isOneOf, LISTS } from '../operations.ts';
import { perExchange, perOperation, where } from './choices.ts';
import { type Fields, fieldsAt, fieldsPhrase, listPlace, merged, recordPlace } from './members.ts';

const SEARCH = 'searchAvailableNumbers';

const bodiesOf = (own: readonly Exchange[]): readonly RecordedBody[] => own.map(bodyOf).filter((body) => body !== null);

/** Fields of several bodies in one line; their values are never looked at. */
function together(bodies: readonly RecordedBody[], fieldsOf: (body: RecordedBody) => Fields): string {
  return fieldsPhrase(merged(bodies.map(fieldsOf)));
}

function outerType(body: RecordedBody | null): string {
  if (body === null) return 'no body';
  return body.json === 'valid' ? (body.members[0]?.type ?? 'empty') : 'not JSON';
}

/** The top-level shape of each kind of body that an operation returns. */
function bodyShapes(own: readonly Exchange[]): readonly string[] {
  const types = [...new Set(own.map((one) => outerType(bodyOf(one))))];
  return types.map((type) => {
    if (type !== 'object') return type;
    const alike = bodiesOf(own).filter((body) => outerType(body) === type);
    return `object {${together(alike, (body) => fieldsAt(body, ''))}}`;
  });
}

function itemFields(body: RecordedBody): Fields {
  const place = listPlace(body);
  return place === undefined ? new Map() : fieldsAt(body, `${place}/-`);
}

function recordFields(body: RecordedBody): Fields {
  const place = recordPlace(body);
  return place === undefined ? new Map() : fieldsAt(body, place);
}

const items = (own: readonly Exchange[]): readonly string[] => [
  together(bodiesOf(own), itemFields) || 'no items with members were seen',
];

const record = (own: readonly Exchange[]): readonly string[] => [
  together(bodiesOf(own), recordFields) || 'no record was shown',
];

/** The members next to the items: at the top level of the body and next to the list. */
function besides(own: readonly Exchange[]): readonly string[] {
  const names = bodiesOf(own).flatMap((body) => {
    const place = listPlace(body);
    if (place === undefined) return [];
    const around = place.slice(0, place.lastIndexOf('/'));
    return ['', ...(around === '' ? [] : [around])].flatMap((at) =>
      [...fieldsAt(body, at).keys()].filter((name) => {
        const pointer = `${at}/${name}`;
        return pointer !== '/success' && pointer !== place && !place.startsWith(`${pointer}/`);
      }),
    );
  });
  const link = own.some((exchange) => headerOf(exchange, 'link') !== undefined) ? ['a Link header'] : [];
  const found = [...[...new Set(names)].sort(), ...link];
  return [found.length === 0 ? 'nothing beside the items' : `beside the items: ${found.join(', ')}`];
}

/** Reads accepted answers, with the valid credential and at a documented path, to these operations or to all. */
function fromSuccesses(read: Parameters<typeof where>[1], operations = EVERY_OPERATION): ReadChoices {
  const concerns = (exchange: Exchange): boolean =>
    exchange.tag.documented && isOurs(exchange) && isAccepted(exchange) && isOneOf(operations, exchange.tag.operation);
  return where(concerns, read);
}

const isStatusOpen = ({ tag }: Exchange): boolean => operationById(tag.operation as OperationId).success === null;

const SHOWN = 'Names and types of the members of the record in accepted responses.';

function ofRecord(id: Observation['id'], what: string, ...operations: readonly OperationId[]): Observation {
  const read = fromSuccesses(perOperation(record), operations);
  return { id, section: '2', question: `Which fields does ${what} have?`, probe: SHOWN, read };
}

/** Gaps about the fields of records, in the order of section 2. */
export const RECORD_GAPS: readonly Observation[] = [
  ofRecord('GAP-RECORD-CALL', 'a call', 'createCall', 'hangUpCall', 'answerCall'),
  ofRecord('GAP-RECORD-VOICE-APPLICATION', 'a voice application', 'updateVoiceApplication'),
  ofRecord('GAP-RECORD-TRUNK', 'a trunk', 'getTrunk', 'updateTrunk'),
  {
    id: 'GAP-RECORD-NUMBER',
    section: '2',
    question: 'Which fields does a number have?',
    probe: SHOWN,
    read: fromSuccesses(
      perOperation((own, operation) => (operation === SEARCH ? items(own) : record(own))),
      ['assignNumber', SEARCH],
    ),
  },
  ofRecord('GAP-RECORD-CARRIER-PROVIDER', 'a carrier provider', 'getCarrierProvider'),
  ofRecord('GAP-RECORD-CARRIER-CONNECTION', 'a carrier connection', 'setInboundAuth'),
  ofRecord('GAP-RECORD-CONFERENCE-PARTICIPANT', 'a conference participant', 'muteParticipant'),
];

/** Gaps about success answers, in the order of section 4. */
export const SUCCESS_GAPS: readonly Observation[] = [
  {
    id: 'GAP-SUCCESS-STATUS',
    section: '4',
    question: 'What is the success status?',
    probe: 'Statuses of accepted requests.',
    read: fromSuccesses(perExchange((exchange) => (isStatusOpen(exchange) ? String(statusOf(exchange)) : null))),
  },
  {
    id: 'GAP-SUCCESS-BODY',
    section: '4',
    question: 'What does a success body contain?',
    probe: 'Names and types of its top-level members.',
    read: fromSuccesses(perOperation(bodyShapes)),
  },
  {
    id: 'GAP-LIST-ITEMS',
    section: '4',
    question: 'What does an item of a list look like?',
    probe: 'Names and types of the members of its items.',
    read: fromSuccesses(perOperation(items), LISTS),
  },
  {
    id: 'GAP-LIST-PAGING',
    section: '4',
    question: 'Are the lists paged, and how?',
    probe: 'The members next to the items, and the Link header.',
    read: fromSuccesses(perOperation(besides), LISTS),
  },
];
