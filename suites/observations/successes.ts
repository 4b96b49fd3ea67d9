/** What success responses show (sections 2 and 4): names and types by place, never a value. */

import { type OperationId, operationById } from '../../src/contract/operations.ts';
import type { Exchange, RecordedBody, RecordedMember } from '../../src/exchange/exchange.ts';
import type { ReadChoices } from '../../src/run/requirement.ts';
import { bodyOf, headerOf, isAccepted, isOurs, statusOf } from '../../src/verdict/answer.ts';
import { EVERY_OPERATION, isOneOf } from '../operations.ts';
import { perOperation } from './choices.ts';

/** Types by name, each name once. */
type Fields = ReadonlyMap<string, ReadonlySet<string>>;

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** The members directly below a place, with what an array holds in its type. */
function fieldsAt(body: RecordedBody, place: string): Fields {
  const fields = new Map<string, Set<string>>();
  for (const { pointer, type } of body.members) {
    if (!pointer.startsWith(`${place}/`)) continue;
    const name = pointer.slice(place.length + 1);
    if (name === '' || name === '-' || name.includes('/')) continue;
    const types = fields.get(unescaped(name)) ?? new Set();
    fields.set(unescaped(name), types.add(type === 'array' ? arrayAt(body, pointer) : type));
  }
  return fields;
}

function arrayAt(body: RecordedBody, place: string): string {
  const types = body.members.filter(({ pointer }) => pointer === `${place}/-`).map(({ type }) => type);
  return types.length === 0 ? 'array' : `array of ${types.sort().join('|')}`;
}

/** All fields of several bodies, the types of a name together. */
function merged(all: readonly Fields[]): Fields {
  const fields = new Map<string, Set<string>>();
  for (const [name, types] of all.flatMap((one) => [...one])) {
    fields.set(name, new Set([...(fields.get(name) ?? []), ...types]));
  }
  return fields;
}

/** Fields in one line: `id string, trunk_id null|string`; an empty array says less than one with items. */
function fieldsPhrase(fields: Fields): string {
  const rows = [...fields].map(([name, types]) => {
    const telling = [...types].filter(
      (type) => type !== 'array' || ![...types].some((one) => one.startsWith('array of')),
    );
    return `${name} ${telling.sort().join('|')}`;
  });
  return rows.sort().join(', ');
}

const depthOf = (pointer: string): number => pointer.split('/').length;

function outermost(places: readonly string[]): string | undefined {
  return places.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))[0];
}

const inList = (pointer: string): boolean => /\/-(?:\/|$)/.test(pointer);

/** The place of the record: the outermost object with an id, otherwise the object inside all wrappers. */
function recordPlace({ members }: RecordedBody): string | undefined {
  const objects = members
    .filter(({ type, pointer }) => type === 'object' && !inList(pointer))
    .map(({ pointer }) => pointer);
  const hasId = (place: string): boolean =>
    members.some(
      ({ pointer }) => pointer.startsWith(`${place}/`) && /^(?:\w*_)?id$/.test(pointer.slice(place.length + 1)),
    );
  const known = outermost(objects.filter(hasId));
  if (known !== undefined || !objects.includes('')) return known;
  let place = '';
  for (let inner = soleObject(members, place); inner !== undefined; inner = soleObject(members, place)) place = inner;
  return place;
}

/** The only object directly below a place that holds nothing else but `success`. */
function soleObject(members: readonly RecordedMember[], place: string): string | undefined {
  const below = members.filter(
    ({ pointer }) => pointer.startsWith(`${place}/`) && depthOf(pointer) === depthOf(place) + 1,
  );
  const [only, ...more] = below.filter(({ pointer }) => pointer !== '/success');
  return only?.type === 'object' && more.length === 0 ? only.pointer : undefined;
}

/** The place of the list: the outermost array. */
function listPlace({ members }: RecordedBody): string | undefined {
  return outermost(
    members.filter(({ type, pointer }) => type === 'array' && !inList(pointer)).map(({ pointer }) => pointer),
  );
}

const bodiesOf = (own: readonly Exchange[]): readonly RecordedBody[] => own.map(bodyOf).filter((body) => body !== null);

/** Fields of several bodies in one line, each at its place; their values are never looked at. */
function fieldsLine(
  bodies: readonly RecordedBody[],
  placeOf: (body: RecordedBody) => string | undefined = () => '',
): string {
  const fields = bodies.flatMap((body) => {
    const place = placeOf(body);
    return place === undefined ? [] : [fieldsAt(body, place)];
  });
  return fieldsPhrase(merged(fields));
}

function outerType(body: RecordedBody | null): string {
  if (body === null) return 'no body';
  return body.json === 'valid' ? (body.members[0]?.type ?? 'empty') : 'not JSON';
}

/** The top-level shape of each kind of body that an operation returns. */
export function bodyShapes(own: readonly Exchange[]): readonly string[] {
  const types = [...new Set(own.map((one) => outerType(bodyOf(one))))];
  return types.map((type) => {
    if (type !== 'object') return type;
    const alike = bodiesOf(own).filter((body) => outerType(body) === type);
    return `object {${fieldsLine(alike)}}`;
  });
}

function itemPlace(body: RecordedBody): string | undefined {
  const place = listPlace(body);
  return place === undefined ? undefined : `${place}/-`;
}

/** The members of the items of a list. */
export const items = (own: readonly Exchange[]): readonly string[] => [
  fieldsLine(bodiesOf(own), itemPlace) || 'no items with members were seen',
];

const record = (own: readonly Exchange[]): readonly string[] => [
  fieldsLine(bodiesOf(own), recordPlace) || 'no record was shown',
];

/** The members next to the items: at the top level of the body and next to the list. */
export function besides(own: readonly Exchange[]): readonly string[] {
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

/** Whether an answer accepts a request, with the valid credential and at a documented path, to one of these operations. */
export const ofSuccesses =
  (operations: readonly OperationId[] = EVERY_OPERATION) =>
  (exchange: Exchange): boolean =>
    exchange.tag.documented && isOurs(exchange) && isAccepted(exchange) && isOneOf(operations, exchange.tag.operation);

/** The fields of the records that these operations return. */
export const records = (...operations: readonly OperationId[]): ReadChoices =>
  perOperation(record, ofSuccesses(operations));

/** The status of a success, where the specification does not show it. */
export const openStatus = (exchange: Exchange): string | null =>
  operationById(exchange.tag.operation as OperationId).success === null ? String(statusOf(exchange)) : null;
