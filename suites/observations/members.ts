/** Success bodies as recorded: names and types by place. */

import type { RecordedBody, RecordedMember } from '../../src/exchange/exchange.ts';

/** Types by name, each name once. */
export type Fields = ReadonlyMap<string, ReadonlySet<string>>;

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

/** The members directly below a place, with what an array holds in its type. */
export function fieldsAt(body: RecordedBody, place: string): Fields {
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
export function merged(all: readonly Fields[]): Fields {
  const fields = new Map<string, Set<string>>();
  for (const [name, types] of all.flatMap((one) => [...one])) {
    fields.set(name, new Set([...(fields.get(name) ?? []), ...types]));
  }
  return fields;
}

/** Fields in one line: `id string, trunk_id null|string`; an empty array says less than one with items. */
export function fieldsPhrase(fields: Fields): string {
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
export function recordPlace({ members }: RecordedBody): string | undefined {
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
export function listPlace({ members }: RecordedBody): string | undefined {
  return outermost(
    members.filter(({ type, pointer }) => type === 'array' && !inList(pointer)).map(({ pointer }) => pointer),
  );
}
