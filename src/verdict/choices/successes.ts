/** Choices in successes (sections 2 and 4): statuses, shapes of bodies, records, lists and paging. */

import { type OperationId, operationById } from '../../contract/operations.ts';
import type { Exchange, RecordedBody } from '../../exchange/exchange.ts';
import { bodyOf, isAccepted, statusOf } from '../answer.ts';
import { byOperation, type Choice, fieldOf, perExchange, type Reader } from './choice.ts';
import { type Fields, fieldsAt, fieldsPhrase, listPlace, merged, recordPlace } from './members.ts';

/** The gap about the record that an operation is likely to show. */
const RECORDS: Readonly<Partial<Record<OperationId, string>>> = {
  createCall: 'GAP-RECORD-CALL',
  hangUpCall: 'GAP-RECORD-CALL',
  answerCall: 'GAP-RECORD-CALL',
  updateVoiceApplication: 'GAP-RECORD-VOICE-APPLICATION',
  getTrunk: 'GAP-RECORD-TRUNK',
  updateTrunk: 'GAP-RECORD-TRUNK',
  assignNumber: 'GAP-RECORD-NUMBER',
  searchAvailableNumbers: 'GAP-RECORD-NUMBER',
  getCarrierProvider: 'GAP-RECORD-CARRIER-PROVIDER',
  setInboundAuth: 'GAP-RECORD-CARRIER-CONNECTION',
  muteParticipant: 'GAP-RECORD-CONFERENCE-PARTICIPANT',
};

const LISTS: ReadonlySet<string> = new Set(['listNumbers', 'listTrunks', 'searchAvailableNumbers']);

/** Fields of several bodies in one line; what they hold is never looked at. */
function together(bodies: readonly RecordedBody[], fieldsOf: (body: RecordedBody) => Fields): string | null {
  const phrase = fieldsPhrase(merged(bodies.map(fieldsOf)));
  return phrase === '' ? null : phrase;
}

function outerType(body: RecordedBody | null): string {
  if (body === null) return 'no body';
  return body.json === 'valid' ? (body.members[0]?.type ?? 'empty') : 'not JSON';
}

/** The outermost shape of each kind of body that an operation answers. */
function bodyShapes(own: readonly Exchange[]): readonly string[] {
  const bodies = own.map(bodyOf);
  return [...new Set(bodies.map(outerType))].map((type) => {
    const alike = bodies.filter((body) => body !== null).filter((body) => outerType(body) === type);
    const [first] = alike;
    if (type === 'object') return `object {${together(alike, (body) => fieldsAt(body, '')) ?? ''}}`;
    return type === 'array' && first !== undefined ? 'array' : type;
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

/** What stands beside the items: at the top of the body and beside the list. */
function besides(own: readonly Exchange[]): string {
  const bodies = own.map(bodyOf).filter((body) => body !== null);
  const names = bodies.flatMap((body) => {
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
  const link = own.some((exchange) => fieldOf(exchange, 'link') !== undefined) ? ['a Link header'] : [];
  const found = [...[...new Set(names)].sort(), ...link];
  return found.length === 0 ? 'nothing beside the items' : `beside the items: ${found.join(', ')}`;
}

function listChoices(operation: string, own: readonly Exchange[], bodies: readonly RecordedBody[]): readonly Choice[] {
  if (!LISTS.has(operation)) return [];
  const items = together(bodies, itemFields) ?? 'no items with members were seen';
  const record = operation === 'searchAvailableNumbers' ? 'GAP-RECORD-NUMBER' : 'GAP-LIST-ITEMS';
  const paging = { gap: 'GAP-LIST-PAGING', operation, choice: besides(own) };
  return [{ gap: record, operation, choice: items }, ...(operation === 'searchAvailableNumbers' ? [] : [paging])];
}

function recordChoices(operation: string, bodies: readonly RecordedBody[]): readonly Choice[] {
  const gap = RECORDS[operation as OperationId];
  if (gap === undefined || LISTS.has(operation)) return [];
  return [{ gap, operation, choice: together(bodies, recordFields) ?? 'no record was shown' }];
}

const isOpen = ({ tag }: Exchange): boolean => operationById(tag.operation as OperationId).success === null;

/** Choices about what is accepted with the good credential at a documented path. */
export const successChoices: Reader = (exchanges) => {
  const successes = exchanges.filter(
    (exchange) => exchange.tag.documented && exchange.request.credential === 'valid' && isAccepted(exchange),
  );
  const shapes = [...byOperation(successes)].flatMap(([operation, own]): readonly Choice[] => {
    const bodies = own.map(bodyOf).filter((body) => body !== null);
    return [
      ...bodyShapes(own).map((choice) => ({ gap: 'GAP-SUCCESS-BODY', operation, choice })),
      ...listChoices(operation, own, bodies),
      ...recordChoices(operation, bodies),
    ];
  });
  const statuses = perExchange('GAP-SUCCESS-STATUS', successes.filter(isOpen), (exchange) =>
    String(statusOf(exchange)),
  );
  return [...statuses, ...shapes];
};
