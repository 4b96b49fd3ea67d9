/** Where an accepted create call may show the id of the call: the interface does not say (section 4, gaps). */

import type { Header } from '../http/message.ts';

const NAMES = ['call_id', 'callId', 'id', 'uuid', 'sid'] as const;
const HOLDERS = ['call', 'data', 'result', 'resource', 'item'] as const;

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id may be a JSON number; a path holds its digits. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

function usable(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_.:~-]{1,128}$/.test(value) && !/^\.{1,2}$/.test(value);
}

/** Inner objects come first: an id beside `data` may be that of the request, an id inside `call` is the call's. */
function idsWithin(value: unknown, depth: number): readonly string[] {
  if (!isObject(value)) return [];
  const inner = depth === 0 ? [] : HOLDERS.flatMap((name) => idsWithin(value[name], depth - 1));
  return [...inner, ...NAMES.map((name) => asText(value[name])).filter(usable)];
}

function idInLocation(headers: readonly Header[]): readonly string[] {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
  const id = /\/calls\/([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  return usable(id) ? [id] : [];
}

/** Candidates for the id of the call, the likeliest first; empty where the answer shows none. */
export function callIds(json: unknown, headers: readonly Header[]): readonly string[] {
  return [...new Set([...idInLocation(headers), ...idsWithin(json, 3)])];
}
