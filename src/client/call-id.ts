/** Where an answer to create call may show the id of the call: the interface does not say (section 4, gaps). */

import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { Header } from '../exchange/message.ts';
import { detached } from '../exchange/texts.ts';
import { decodings, isDotSegment, segmentsOf } from './request-path.ts';

/** Candidates for the id of a call, the likeliest first. */
export interface ShownIds {
  /** In `Location`, in a link to a call, or in a member whose name says that it is an id. */
  readonly ids: readonly string[];
  /** UUIDs under any other name or in text. */
  readonly uuids: readonly string[];
  /** Other values that look like an id, under any other name. */
  readonly values: readonly string[];
}

const LONGEST_ID = 1_024;
/** More ids than this cannot all be tried in a hang-up. */
const MAX_CANDIDATES = 8;
/** A longer text is searched but not parsed: as a value, deep nesting takes many times its memory. */
const MAX_PARSED = 262_144;
/** Members that are looked at, and levels of nesting. */
const MAX_MEMBERS = 20_000;
const MAX_DEPTH = 32;

/** Holders of the call that are searched before all others: an id beside `data` may be that of the request. */
const HOLDERS = ['call', 'data', 'result', 'resource', 'item', 'items'] as const;
/** Names of ids, compared in lower case without separators: `call_id`, `callId`, `ID`. */
const NAMES = ['callid', 'id', 'uuid', 'sid', 'resourceid', 'call'] as const;
const NAMED_ID = /(?:id|uuid|guid|sid)$/;
/** What else an id may be of: a request, an error, another resource. Neither such an id nor what such an object holds counts. */
const OTHER_THINGS = [
  ...['request', 'req', 'trace', 'span', 'correlation', 'transaction', 'event', 'error', 'errors', 'err', 'incident'],
  ...['log', 'message', 'problem', 'issue', 'case', 'ticket', 'support', 'ray', 'rate', 'instance', 'meta', 'debug'],
  ...['application', 'voiceapplication', 'app', 'trunk', 'siptrunk', 'connection', 'carrierconnection', 'carrier'],
  ...['carrierprovider', 'provider', 'number', 'phonenumber', 'conference', 'participant', 'organization'],
  ...['organisation', 'org', 'account', 'tenant', 'project', 'workspace', 'customer', 'user', 'owner', 'credential'],
  ...['token', 'apikey', 'subscription', 'region', 'recording', 'webhook', 'domain', 'parent', 'idempotency'],
];
const OTHER_NAMES: ReadonlySet<string> = new Set(
  OTHER_THINGS.flatMap((name) =>
    ['', 'id', 'ids', 'uuid', 'guid', 'sid', 'key', 'ref', 'reference'].flatMap((end) => [
      `${name}${end}`,
      `x${name}${end}`,
    ]),
  ),
);
/** Members whose values are never ids. */
const NO_ID =
  /(?:at|on|time|timestamp|date|code|type|title|detail|description|reason|version|hash|digest|etag|from|to)$/;

const plainName = (name: string): string =>
  name
    .slice(0, 200)
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

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

class Search {
  readonly ids: string[] = [];
  readonly links: string[] = [];
  readonly uuids: string[] = [];
  readonly values: string[] = [];
  #left = MAX_MEMBERS;

  /** `holder`: the plain name of the member that holds the value. */
  in(value: unknown, holder = '', depth = MAX_DEPTH): void {
    this.#left -= 1;
    if (depth === 0 || this.#left < 0) return;
    // A list of one is the call; in a longer one the new call cannot be told from others.
    if (Array.isArray(value) && value.length === 1) this.in(value[0], holder, depth - 1);
    else if (Array.isArray(value)) this.#inList(value);
    else if (isObject(value)) this.#inObject(value, holder, depth);
    else this.#inText(value, holder);
  }

  /** Inner objects come first: an id beside `data` may be that of the request, an id inside `call` is the call's. */
  #inObject(value: Readonly<Record<string, unknown>>, holder: string, depth: number): void {
    const members = Object.entries(value).map(([name, member]) => [plainName(name), member] as const);
    const isInner = (member: unknown): boolean => typeof member === 'object' && member !== null;
    const named = (names: readonly string[]) => names.flatMap((each) => members.filter(([name]) => name === each));
    const others = members.filter(([name]) => !HOLDERS.includes(name as 'call'));
    for (const [name, member] of [...named(HOLDERS), ...others]) if (isInner(member)) this.in(member, name, depth - 1);
    const isOther = OTHER_NAMES.has(holder);
    const isId = (name: string): boolean => NAMED_ID.test(name) && !OTHER_NAMES.has(name) && !isOther;
    const likely = isOther ? named(['callid']) : named(NAMES);
    for (const [, member] of likely) this.#add(this.ids, member);
    const rest = members.filter(([name, member]) => !NAMES.includes(name as 'call') && !isInner(member));
    for (const [name, member] of rest) {
      if (isId(name)) this.#add(this.ids, member);
      else this.#inText(member, name);
    }
  }

  #inText(value: unknown, name: string): void {
    if (typeof value !== 'string' || value.length > MAX_PARSED) return;
    const link = value.length <= 2 * LONGEST_ID ? LINK.exec(value)?.[1] : undefined;
    if (link !== undefined) this.#add(this.links, decoded(link));
    // A message may name the call.
    if ((OTHER_NAMES.has(name) && name !== 'message') || link !== undefined) return;
    this.uuids.push(...uuidsIn(value));
    if (name === '' && !/\s/.test(value)) this.#add(this.ids, value);
    else if (!NO_ID.test(name) && LIKE_AN_ID.test(value) && !NOT_LIKE_AN_ID.test(value)) this.#add(this.values, value);
  }

  #inList(list: readonly unknown[]): void {
    for (const one of list.slice(0, MAX_CANDIDATES)) if (typeof one === 'string') this.uuids.push(...uuidsIn(one));
  }

  #add(found: string[], value: unknown): void {
    const id = asText(value);
    if (isUsable(id)) found.push(id);
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A Location may be relative to the path of create call (RFC 9110, section 10.2.2). */
function idsInLocation(headers: readonly Header[]): readonly string[] {
  return headers.flatMap(([name, location]) => {
    if (name.toLowerCase() !== 'location') return [];
    const base = 'http://target.invalid/v1/calls/';
    const path = URL.canParse(location, base) ? new URL(location, base).pathname : location;
    const id = decoded(LINK.exec(path)?.[1] ?? '');
    return isUsable(id) ? [id] : [];
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

/** Each by itself: as a piece of the text, an id would keep all of that in memory. */
const distinct = (found: readonly string[]): readonly string[] =>
  [...new Set(found)].slice(0, MAX_CANDIDATES).map(detached);

/**
 * Candidates for the id of the call in `Location` and in a body. If the settings say where the id stands and it stands
 * there, it is the only one.
 */
export function callIdsIn(text: string, headers: readonly Header[], pointer?: string): ShownIds {
  const whole = valueOfShort(text);
  const values = whole === undefined ? valuesWithin(text) : [whole];
  const pointed = pointer === undefined ? [] : values.map((value) => asText(valueAt(value, pointer))).filter(isUsable);
  if (pointed.length > 0) return { ids: distinct(pointed), uuids: [], values: [] };
  const search = new Search();
  for (const value of values) search.in(value);
  const long = [...text.matchAll(LONG_NUMBER)].map(([, digits = '']) => digits);
  const isBroken = whole === undefined && search.ids.length + long.length === 0;
  const written = isBroken ? [...text.matchAll(WRITTEN_ID)].map(([, id = '']) => id).filter(isUsable) : [];
  // Text around values may show the id, too.
  const loose = whole === undefined ? uuidsIn(text) : [];
  const isNamed = (id: string): boolean => search.ids.includes(id) || written.includes(id);
  return {
    ids: distinct([...idsInLocation(headers), ...search.ids, ...long, ...written, ...search.links]),
    uuids: distinct([...search.uuids, ...loose].filter((id) => !isNamed(id))),
    values: distinct(search.values),
  };
}
