/** Where an answer to create call may show the id of the call: the interface does not say (section 4, gaps). */

import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { Header } from '../exchange/message.ts';

/** Names in any letter case, with or without underscores: `call_id`, `callId`, `ID`. */
const NAMES = ['callid', 'id', 'uuid', 'sid', 'resourceid'] as const;
const HOLDERS = ['call', 'data', 'result', 'resource', 'item', 'items'] as const;
/** Holders of holders: `data`, in it `items`, in it the call. */
const MAX_DEPTH = 3;

type JsonObject = Readonly<Record<string, unknown>>;

/** An id may be a JSON number; a path holds its digits. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

function isUsable(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_.:~-]{1,128}$/.test(value) && !/^\.{1,2}$/.test(value);
}

/** The members with that name, in the order of the body. */
function named(value: JsonObject, name: string): readonly unknown[] {
  const plain = (key: string): string => key.replaceAll('_', '').toLowerCase();
  return Object.entries(value).flatMap(([key, member]) => (plain(key) === name ? [member] : []));
}

/** Inner objects come first: an id beside `data` may be that of the request, an id inside `call` is the call's. */
function idsWithin(value: unknown, depth: number): readonly string[] {
  // A list of one is the call; in a longer one the new call cannot be told from others.
  if (Array.isArray(value)) return value.length === 1 && depth > 0 ? idsWithin(value[0], depth - 1) : [];
  if (!isObject(value)) return [];
  const held = depth === 0 ? [] : HOLDERS.flatMap((name) => named(value, name));
  const inner = held.flatMap((member) => idsWithin(member, depth - 1));
  const own = [...NAMES, 'call'].flatMap((name) => named(value, name));
  return [...inner, ...own.map(asText).filter(isUsable)];
}

/** A Location may be relative to the path of create call (RFC 9110, section 10.2.2). */
function idsInLocation(headers: readonly Header[]): readonly string[] {
  return headers.flatMap(([name, location]) => {
    if (name.toLowerCase() !== 'location') return [];
    const base = 'http://target.invalid/v1/calls/';
    const path = URL.canParse(location, base) ? new URL(location, base).pathname : location;
    const id = /\/calls\/([^/?#]+)\/?$/.exec(path)?.[1];
    return isUsable(id) ? [id] : [];
  });
}

/** An integer past 2^53 becomes another one when it is parsed, so its digits are taken from the text. */
const LONG_NUMBER = /"(?:call_?)?id"\s*:\s*(\d{16,40})(?=\s*[,}])/gi;
/** What is left of an id in a text that is not JSON as a whole: cut short, too long to parse, or broken. */
const WRITTEN_ID = /"(?:call_?id|id|uuid|sid|resource_?id)"\s*:\s*"?([A-Za-z0-9_.:~-]{1,128})/gi;
/** A longer text is searched but not parsed: as a value, deep nesting takes many times its memory. */
const MAX_PARSED = 262_144;
/** More ids than this cannot all be tried in a hang-up. */
const MAX_CANDIDATES = 8;

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

/**
 * Candidates for the id of the call in `Location` and in a body, the likeliest first; empty if there are none. If the
 * settings say where the id stands and it stands there, it is the only one.
 */
export function callIdsIn(text: string, headers: readonly Header[], pointer?: string): readonly string[] {
  const whole = valueOfShort(text);
  const values = whole === undefined ? valuesWithin(text) : [whole];
  const pointed = pointer === undefined ? [] : values.map((value) => asText(valueAt(value, pointer))).filter(isUsable);
  if (pointed.length > 0) return [...new Set(pointed)].slice(0, MAX_CANDIDATES);
  const ids = [...values.flatMap((value) => idsWithin(value, MAX_DEPTH)), ...values.filter(isUsable)];
  const long = [...text.matchAll(LONG_NUMBER)].map(([, digits = '']) => digits);
  const isBroken = whole === undefined && ids.length + long.length === 0;
  const written = isBroken ? [...text.matchAll(WRITTEN_ID)].map(([, id = '']) => id).filter(isUsable) : [];
  return [...new Set([...idsInLocation(headers), ...ids, ...long, ...written])].slice(0, MAX_CANDIDATES);
}
