/** Where an answer to create call may show the id of the call: the interface does not say (section 4, gaps). */

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

const LONGEST_ID = 1_024;
/** More ids than this cannot all be tried in a hang-up. */
const MAX_CANDIDATES = 8;
/** A longer text is searched but not parsed: as a value, deep nesting takes many times its memory. */
const MAX_PARSED = 262_144;
/** Members that are looked at, and levels of nesting. */
const MAX_MEMBERS = 20_000;
const MAX_DEPTH = 32;

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
  if (typeof value !== 'string' || value.length > LONGEST_ID || !/\S/.test(value) || /\p{C}/u.test(value)) return false;
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
  for (const [uuid] of text.matchAll(UUIDS)) if (found.push(uuid) === MAX_CANDIDATES) break;
  return found;
}

/** A value of an answer, and where it stands; `name` is the plain name of its member. */
interface Found {
  readonly value: unknown;
  readonly name: string;
  readonly place: string;
}

/** Looks through an answer level by level, so that the shallowest ids come first, and through its lists last. */
class Search {
  readonly ids: ShownId[] = [];
  readonly links: ShownId[] = [];
  readonly uuids: ShownId[] = [];
  readonly values: ShownId[] = [];
  readonly #lists: Found[] = [];
  #left = MAX_MEMBERS;

  in(values: readonly unknown[]): void {
    this.#levels(values.map((value) => ({ value, name: '', place: '' })));
    while (this.#lists.length > 0) {
      const lists = this.#lists.splice(0);
      this.#levels(lists.flatMap((list) => this.#itemsOf(list)));
    }
  }

  #levels(first: readonly Found[]): void {
    let level = first;
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
      level = level.flatMap((found) => this.#within(found));
    }
  }

  /** Notes what a value shows; the objects that it holds are the next level. */
  #within(found: Found): readonly Found[] {
    const { value, name, place } = found;
    this.#left -= 1;
    if (this.#left < 0) return [];
    if (Array.isArray(value)) {
      if (place.split('/').length <= MAX_DEPTH) this.#lists.push(found);
    } else if (isObject(value)) {
      const members = Object.entries(value).map(([own, member]) => {
        return { value: member, name: plainName(own), place: `${place}/${own.slice(0, 200)}` };
      });
      const isInner = (member: Found): boolean => typeof member.value === 'object' && member.value !== null;
      const by = (names: readonly string[]) => (a: Found, b: Found) => rankIn(names, a.name) - rankIn(names, b.name);
      for (const member of members.filter((each) => !isInner(each)).sort(by(NAMES))) this.#note(member);
      return members.filter(isInner).sort(by(HOLDERS));
    } else this.#note({ value, name, place });
    return [];
  }

  /** A list of one may be the call; in a longer one the new call cannot be told from others. */
  #itemsOf({ value, name, place }: Found): readonly Found[] {
    const items = (value as readonly unknown[]).slice(0, MAX_CANDIDATES);
    const isSingle = items.length === 1;
    return items
      .filter((item) => isSingle || typeof item === 'string')
      .map((item) => ({ value: item, name: isSingle ? name : LISTED, place: `${place}/*` }));
  }

  #note({ value, name, place }: Found): void {
    if (NAMES.includes(name) || NAMED_ID.test(name)) this.#add(this.ids, value, place);
    else this.#noteText(value, name, place);
  }

  #noteText(value: unknown, name: string, place: string): void {
    if (typeof value !== 'string' || value.length > MAX_PARSED) return;
    const link = value.length <= 2 * LONGEST_ID ? LINK.exec(value)?.[1] : undefined;
    if (link !== undefined) this.#add(this.links, decoded(link), place);
    if (link !== undefined) return;
    // A message may name the call.
    for (const id of uuidsIn(value)) this.uuids.push({ id, place: /\s/.test(value) ? 'text' : place });
    if (name === '' && !/\s/.test(value)) this.#add(this.ids, value, place);
    else if (name !== LISTED && !NO_ID.test(name) && LIKE_AN_ID.test(value) && !NOT_LIKE_AN_ID.test(value))
      this.#add(this.values, value, place);
  }

  #add(found: ShownId[], value: unknown, place: string): void {
    const id = asText(value);
    if (isUsable(id)) found.push({ id, place });
  }
}

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
const WRITTEN_ID = /"(?:call_?id|id|uuid|sid|resource_?id)"\s*:\s*"?([A-Za-z0-9_.:~@;=-]{1,1024})/gi;

/** The value of a text that is one JSON value and nothing else, and not too long; otherwise `undefined`. */
export function valueOfShort(text: string): unknown {
  return text.length > MAX_PARSED ? undefined : parsedJson(text);
}

/** The objects and arrays of a text that holds several values or other text around them, in order. */
function valuesWithin(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let [depth, start, isInString] = [0, 0, false];
  for (let at = 0; at < Math.min(text.length, MAX_PARSED); at += 1) {
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
    if (first.size === MAX_CANDIDATES) break;
  }
  return [...first.values()];
}

/**
 * Candidates for the id of the call in `Location` and in a body. If the settings say where the id stands and it stands
 * there, it is the only one.
 */
export function callIdsIn(text: string, headers: readonly Header[], pointer?: string): ShownIds {
  const whole = valueOfShort(text);
  const values = whole === undefined ? valuesWithin(text) : [whole];
  const inText = (id: string): ShownId => ({ id, place: 'text' });
  const pointed = pointer === undefined ? [] : values.map((value) => asText(valueAt(value, pointer))).filter(isUsable);
  if (pointed.length > 0) return { ids: distinct(pointed.map(inText)), uuids: [], values: [] };
  const search = new Search();
  search.in(values);
  const long = [...text.matchAll(LONG_NUMBER)].map(([, digits = '']) => digits);
  const isBroken = whole === undefined && search.ids.length + long.length === 0;
  const written = isBroken ? [...text.matchAll(WRITTEN_ID)].map(([, id = '']) => id).filter(isUsable) : [];
  const named = [...idsInLocation(headers), ...search.ids, ...[...long, ...written].map(inText), ...search.links];
  // Text around values may show the id, too.
  const loose = whole === undefined ? uuidsIn(text).map(inText) : [];
  return {
    ids: distinct(named),
    uuids: distinct([...search.uuids, ...loose].filter(({ id }) => !named.some((shown) => shown.id === id))),
    values: distinct(search.values),
  };
}
