/** Where an answer to create call may show the id of the call: the interface does not say (section 4, gaps). */

import { KEPT, LEARNED, READ } from '../contract/limits.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { Header } from '../exchange/message.ts';
import { detached } from '../exchange/texts.ts';
import { decodings, isDotSegment, segmentsOf } from './request-path.ts';

/** A candidate for the id of a call, and where it stands: `Location`, `text`, or a JSON Pointer with `*` for any item. */
export interface ShownId {
  readonly id: string;
  readonly place: string;
}

/** Candidates for the id of a call, the likeliest first. */
export interface ShownIds {
  /** In `Location`, in a link to a call, or in a member whose name says that it is an id, whatever it is the id of. */
  readonly ids: readonly ShownId[];
  /** UUIDs under any other name or in text. */
  readonly uuids: readonly ShownId[];
  /** Other values that look like an id, under any other name. */
  readonly values: readonly ShownId[];
}

/** Of members at the same depth these are looked into first. */
const HOLDERS = ['call', 'data', 'result', 'resource', 'item', 'items'];
/** Names of ids, the likeliest first, compared in lower case without separators: `call_id`, `callId`, `ID`. */
const NAMES = ['callid', 'id', 'uuid', 'sid', 'resourceid', 'call'];
const NAMED_ID = /(?:id|uuid|guid|sid)$/;
/** Members whose values are never ids. */
const NO_ID =
  /(?:at|on|time|timestamp|date|code|type|title|detail|description|reason|version|hash|digest|etag|from|to)$/;

const plainName = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

/** The place of a name among the likely ones; the others come after them. */
const rankIn = (names: readonly string[], name: string): number =>
  (names.indexOf(name) + names.length + 1) % (names.length + 1);

/** What can stand in a path: no part of it is `.` or `..`, however often it is decoded, and it can be written as UTF-8. */
function isUsable(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LEARNED.id || !/\S/.test(value) || /\p{C}/u.test(value)) return false;
  return decodings(encodeURIComponent(value))?.every((layer) => !segmentsOf(layer).some(isDotSegment)) === true;
}

/** An id may be a JSON number; a path holds its digits. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

const LINK = /\/calls\/([^/?#]+)\/?$/;
/** A number to dial, a date, a price, an address: texts with digits that are not ids. */
const NOT_LIKE_AN_ID = /^(?:[+-]?[\d.,]+$|\d{4}-\d\d|[a-z][a-z0-9+.-]*:|\/)/i;
const LIKE_AN_ID = /^(?=[^\d]*\d)[\w.:@;=~+/-]{6,200}$/;
const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

function uuidsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const [uuid] of text.matchAll(UUIDS)) if (found.push(uuid) === LEARNED.candidates) break;
  return found;
}

type Kind = 'ids' | 'links' | 'uuids' | 'values';

/** A value of an answer, and where it stands: `name` is the plain name of its member, `depth` orders what is found. */
interface Found {
  readonly value: unknown;
  readonly name: string;
  readonly place: string;
  readonly depth: number;
}

/** Looks through an answer: the shallowest ids come first, and those of lists last. */
class Search {
  readonly #shown: (ShownId & { readonly kind: Kind; readonly depth: number })[] = [];
  #left = LEARNED.members;

  of(kind: Kind): readonly ShownId[] {
    return this.#shown.filter((one) => one.kind === kind).sort((a, b) => a.depth - b.depth);
  }

  in(found: Found): void {
    this.#left -= 1;
    if (this.#left < 0 || found.place.split('/').length > KEPT.levels) return;
    if (Array.isArray(found.value)) for (const item of itemsOf(found)) this.in(item);
    else if (isObject(found.value)) for (const member of membersOf(found.value, found)) this.in(member);
    else this.#addShown(found);
  }

  #addShown(found: Found): void {
    const { value, name } = found;
    if (NAMES.includes(name) || NAMED_ID.test(name)) this.#add('ids', value, found);
    else if (typeof value === 'string' && value.length <= READ.parsed) this.#addText(value, found);
  }

  #addText(text: string, found: Found): void {
    const { name, place } = found;
    const link = text.length <= 2 * LEARNED.id ? LINK.exec(text)?.[1] : undefined;
    if (link !== undefined) {
      this.#add('links', decoded(link), found);
      return;
    }
    const isProse = /\s/.test(text);
    // A message may name the call.
    for (const id of uuidsIn(text)) this.#add('uuids', id, { ...found, place: isProse ? 'text' : place });
    const isLikeAnId = LIKE_AN_ID.test(text) && !NOT_LIKE_AN_ID.test(text);
    if (name === '' && !isProse) this.#add('ids', text, found);
    else if (name !== LISTED && !NO_ID.test(name) && isLikeAnId) this.#add('values', text, found);
  }

  #add(kind: Kind, value: unknown, { place, depth }: Found): void {
    const id = asText(value);
    if (isUsable(id)) this.#shown.push({ kind, id, place, depth });
  }
}

/** The members of an object: its texts by their names, then what else it holds. */
function membersOf(value: object, { place, depth }: Found): readonly Found[] {
  const members = Object.entries(value).map(([own, member]): Found => {
    return { value: member, name: plainName(own), place: `${place}/${own.slice(0, 200)}`, depth: depth + 1 };
  });
  const isInner = (member: Found): boolean => typeof member.value === 'object' && member.value !== null;
  const by = (names: readonly string[]) => (a: Found, b: Found) => rankIn(names, a.name) - rankIn(names, b.name);
  return [...members.filter((each) => !isInner(each)).sort(by(NAMES)), ...members.filter(isInner).sort(by(HOLDERS))];
}

/** A list of one may be the call; in a longer one the new call cannot be told from others. */
function itemsOf({ value, name, place, depth }: Found): readonly Found[] {
  const items = (value as readonly unknown[]).slice(0, LEARNED.candidates);
  const isSingle = items.length === 1;
  return items
    .filter((item) => isSingle || typeof item === 'string')
    .map((item) => ({ value: item, name: isSingle ? name : LISTED, place: `${place}/*`, depth: depth + IN_A_LIST }));
}

/** Deeper than everything that no list holds. */
const IN_A_LIST = KEPT.levels;

/** In place of the name of a text in a list of several. */
const LISTED = '[]';

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A Location may be relative to the path of create call (RFC 9110, section 10.2.2). */
function idsInLocation(headers: readonly Header[]): readonly ShownId[] {
  return headers.flatMap(([name, location]) => {
    if (name.toLowerCase() !== 'location') return [];
    const base = 'http://target.invalid/v1/calls/';
    const path = URL.canParse(location, base) ? new URL(location, base).pathname : location;
    const id = decoded(LINK.exec(path)?.[1] ?? '');
    return isUsable(id) ? [{ id, place: 'Location' }] : [];
  });
}

/** An integer past 2^53 becomes another one when it is parsed, so its digits are taken from the text. */
const LONG_NUMBER = /"(?:call_?)?id"\s*:\s*(\d{16,40})(?=\s*[,}])/gi;
/** What is left of an id in a text that is not JSON as a whole: cut short, too long to parse, or broken. */
const WRITTEN_ID = /"(?:call_?id|id|uuid|sid|resource_?id)"\s*:\s*(?:"([^"\\]{1,1024})|([\w.-]{1,1024}))/gi;

/** The value of a text that is one JSON value and nothing else, and not too long; otherwise `undefined`. */
export function valueOfShort(text: string): unknown {
  return text.length > READ.parsed ? undefined : parsedJson(text);
}

/** The objects and lists of a text that holds several values or other text around them, in order. */
function valuesWithin(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let [depth, start, isInString] = [0, 0, false];
  for (let at = 0; at < Math.min(text.length, READ.parsed); at += 1) {
    const character = text[at] ?? '';
    if (isInString) {
      if (character === '\\') at += 1;
      isInString = character !== '"';
    } else if (character === '"') isInString = depth > 0;
    else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth += 1;
    } else if ((character === '}' || character === ']') && depth > 0) {
      depth -= 1;
      if (depth === 0) values.push(valueOfShort(text.slice(start, at + 1)));
    }
  }
  return values;
}

/** The value at a JSON Pointer (RFC 6901). */
function valueAt(json: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((holder, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
      ? Reflect.get(holder, name)
      : undefined;
  }, json);
}

/** Each once and by itself: as a piece of the text, an id would keep all of that in memory. */
function distinct(found: readonly ShownId[]): readonly ShownId[] {
  const first = new Map<string, ShownId>();
  for (const { id, place } of found) {
    if (!first.has(id)) first.set(id, { id: detached(id), place: detached(place) });
    if (first.size === LEARNED.candidates) break;
  }
  return [...first.values()];
}

/**
 * Candidates for the id of the call in `Location` and in a body. If the settings say where the id stands and it stands
 * there, it is the only one.
 */
export function callIdsIn(text: string, headers: readonly Header[], pointer?: string): ShownIds {
  const whole = valueOfShort(text);
  const inText = (id: string): ShownId => ({ id, place: 'text' });
  // An envelope that a handler wrote before it went on has the call behind it: two values in one body.
  const values = whole === undefined ? valuesWithin(text) : [whole];
  const pointed = pointer === undefined ? [] : values.map((value) => asText(valueAt(value, pointer))).filter(isUsable);
  if (pointed.length > 0) return { ids: distinct(pointed.map(inText)), uuids: [], values: [] };
  const search = new Search();
  for (const value of values) search.in({ value, name: '', place: '', depth: 0 });
  const long = [...text.matchAll(LONG_NUMBER)].map(([, digits = '']) => digits);
  const isBroken = whole === undefined && search.of('ids').length + long.length === 0;
  const texts = isBroken ? [...text.matchAll(WRITTEN_ID)] : [];
  const written = texts.map(([, quoted, bare = '']) => quoted ?? bare).filter(isUsable);
  const found = [...search.of('ids'), ...[...long, ...written].map(inText), ...search.of('links')];
  const named = [...idsInLocation(headers), ...found];
  // A text around the values may show the id, too.
  const loose = whole === undefined ? uuidsIn(text).map(inText) : [];
  const uuids = [...search.of('uuids'), ...loose].filter(({ id }) => !named.some((shown) => shown.id === id));
  return { ids: distinct(named), uuids: distinct(uuids), values: distinct(search.of('values')) };
}
