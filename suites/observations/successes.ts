/** What success responses show (sections 2 and 4): names and types by place, never a value. */

import { groupBy } from '../../src/contract/lists.ts';
import { type OperationId, operationById } from '../../src/contract/operations.ts';
import type { Exchange, RecordedBody } from '../../src/exchange/exchange.ts';
import type { ReadChoices } from '../../src/run/requirement.ts';
import { bodyOf, headerOf, isAccepted, isOurs, statusOf } from '../../src/verdict/answer.ts';
import { EVERY_OPERATION, isOneOf } from '../operations.ts';
import { perOperation } from './choices.ts';

/** A member of a body. */
interface Field {
  readonly name: string;
  readonly pointer: string;
  readonly type: string;
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** The members directly below a place. */
function below({ members }: RecordedBody, place: string): readonly Field[] {
  const inside = members.filter(({ pointer }) => pointer.startsWith(`${place}/`));
  const named = inside.map(({ pointer, type }) => ({ name: pointer.slice(place.length + 1), pointer, type }));
  return named.filter(({ name }) => !name.includes('/'));
}

/** The same without the items of an array. */
const fieldsAt = (body: RecordedBody, place: string): readonly Field[] =>
  below(body, place).filter(({ name }) => name !== '' && name !== '-');

/** The type of a member, with what an array holds. */
function typeOf({ members }: RecordedBody, { pointer, type }: Field): string {
  if (type !== 'array') return type;
  const types = members.filter((one) => one.pointer === `${pointer}/-`).map((one) => one.type);
  return types.length === 0 ? 'array' : `array of ${types.sort().join('|')}`;
}

const depthOf = (pointer: string): number => pointer.split('/').length;

function outermost(places: readonly string[]): string | undefined {
  return places.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))[0];
}

const inList = (pointer: string): boolean => /\/-(?:\/|$)/.test(pointer);

/** The place of the record: the outermost object with an id, otherwise the object inside all wrappers. */
function recordPlace(body: RecordedBody): string | undefined {
  const objects = body.members
    .filter(({ type, pointer }) => type === 'object' && !inList(pointer))
    .map(({ pointer }) => pointer);
  const hasId = (place: string): boolean => below(body, place).some(({ name }) => /^(?:\w*_)?id$/.test(name));
  const known = outermost(objects.filter(hasId));
  if (known !== undefined || !objects.includes('')) return known;
  let place = '';
  for (let inner = soleObject(body, place); inner !== undefined; inner = soleObject(body, place)) place = inner;
  return place;
}

/** The only object directly below a place that holds nothing else but `success`. */
function soleObject(body: RecordedBody, place: string): string | undefined {
  const [only, ...more] = below(body, place).filter(({ pointer }) => pointer !== '/success');
  return only?.type === 'object' && more.length === 0 ? only.pointer : undefined;
}

/** The place of the list: the outermost array. */
function listPlace({ members }: RecordedBody): string | undefined {
  return outermost(
    members.filter(({ type, pointer }) => type === 'array' && !inList(pointer)).map(({ pointer }) => pointer),
  );
}

const bodiesOf = (own: readonly Exchange[]): readonly RecordedBody[] => own.map(bodyOf).filter((body) => body !== null);

/**
 * Fields of several bodies in one line, each at its place: `id string, trunk_id null|string`. Their values are never looked
 * at, and an empty array says less than one with items.
 */
function fieldsLine(
  bodies: readonly RecordedBody[],
  placeOf: (body: RecordedBody) => string | undefined = () => '',
): string {
  const fields = bodies.flatMap((body) => {
    const place = placeOf(body);
    return (place === undefined ? [] : fieldsAt(body, place)).map((one) => [one.name, typeOf(body, one)] as const);
  });
  const rows = [...groupBy(fields, ([name]) => name)].map(([name, own]) => {
    const types = [...new Set(own.map(([, type]) => type))];
    const hasItems = types.some((one) => one.startsWith('array of'));
    const telling = types.filter((type) => type !== 'array' || !hasItems);
    return `${unescaped(name)} ${telling.sort().join('|')}`;
  });
  return rows.sort().join(', ');
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
      fieldsAt(body, at)
        .filter(({ pointer }) => pointer !== '/success' && pointer !== place && !place.startsWith(`${pointer}/`))
        .map(({ name }) => unescaped(name)),
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
