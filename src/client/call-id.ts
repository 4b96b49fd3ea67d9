/** Where an accepted create call may show the id of the call: the interface does not say (section 4, gaps). */

import type { Header } from '../exchange/message.ts';

/** Names in any letter case, with or without underscores: `call_id`, `callId`, `ID`. */
const NAMES = ['callid', 'id', 'uuid', 'sid', 'resourceid'] as const;
const HOLDERS = ['call', 'data', 'result', 'resource', 'item', 'items'] as const;
/** Holders of holders: `data`, in it `items`, in it the call. */
const DEEPEST = 3;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id may be a JSON number; a path holds its digits. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

function usable(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_.:~-]{1,128}$/.test(value) && !/^\.{1,2}$/.test(value);
}

const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Members of a plain name, in the order in which the body has them. */
function named(value: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  return Object.entries(value).flatMap(([key, member]) => (plainName(key) === name ? [member] : []));
}

/** Inner objects come first: an id beside `data` may be that of the request, an id inside `call` is the call's. */
function idsWithin(value: unknown, depth: number): readonly string[] {
  // A list of one is the call; in a longer one nobody can tell which call is ours.
  if (Array.isArray(value)) return value.length === 1 && depth > 0 ? idsWithin(value[0], depth - 1) : [];
  if (!isObject(value)) return [];
  const held = depth === 0 ? [] : HOLDERS.flatMap((name) => named(value, name));
  const inner = held.flatMap((member) => idsWithin(member, depth - 1));
  const own = NAMES.flatMap((name) => named(value, name));
  return [...inner, ...[...own, ...named(value, 'call')].map(asText).filter(usable)];
}

/** An integer past 2^53 is another one once it is parsed: its digits stand in the text. */
function longNumbers(text: string): readonly string[] {
  return [...text.matchAll(/"(?:call_?)?id"\s*:\s*(\d{16,40})(?=\s*[,}])/gi)].map(([, digits = '']) => digits);
}

/** A Location may be relative to the path of create call (RFC 9110, section 10.2.2). */
function idInLocation(headers: readonly Header[]): readonly string[] {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
  const base = 'http://target.invalid/v1/calls/';
  const path = URL.canParse(location, base) ? new URL(location, base).pathname : location;
  const id = /\/calls\/([^/?#]+)\/?$/.exec(path)?.[1];
  return usable(id) ? [id] : [];
}

/** Candidates for the id of the call, the likeliest first; empty where the answer shows none. */
export function callIds(json: unknown, headers: readonly Header[], text = ''): readonly string[] {
  const bare = usable(json) ? [json] : [];
  return [...new Set([...idInLocation(headers), ...idsWithin(json, DEEPEST), ...longNumbers(text), ...bare])];
}
