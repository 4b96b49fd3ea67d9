/**
 * What an answer to create call shows: whether it may have placed a call, and the id of that call (conformance model,
 * section 7). Ids are read at named places only: searching for values that look like an id sent hang-ups to
 * `/v1/calls/Must%20be%20a%20valid%20UUID./hangup`.
 */

import { LEARNED, READ } from '../../contract/limits.ts';
import { withoutUndefined } from '../../contract/lists.ts';
import { hasNoDotSegment } from '../../contract/path-text.ts';
import { valueAt } from '../../contract/validators.ts';
import { isRetryableStatus, isSuccess } from '../../contract/waiting.ts';
import type { Learned } from '../../exchange/exchange.ts';
import { detached, isObject, parsedJson, pastString, textOf, withoutDepth } from '../../exchange/json-text.ts';
import { type Header, headerValue, headerValues, type WireAnswer } from '../../exchange/message.ts';
import { idOfSegment } from '../request.ts';

/** Members that hold an id, the likeliest first, and members that may hold an object with such a member. */
const CALL_ID_NAMES = ['call_id', 'callId', 'id', 'uuid', 'sid'] as const;
const HOLDERS = ['call', 'data', 'result', 'resource', 'item'] as const;

/** Whether it can stand in a path: valid UTF-8, without a part `.` or `..`, however often it is decoded. */
function isUsable(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LEARNED.id || !/\S/.test(value) || /\p{C}/u.test(value)) return false;
  return hasNoDotSegment(encodeURIComponent(value));
}

/** An id may be a JSON number; a path holds its digits. */
const usable = (value: unknown): readonly string[] =>
  [Number.isSafeInteger(value) ? String(value) : value].filter(isUsable);

/** Strings, and integers past 2^53, which parsing would change: their digits are kept as text. */
const LONG_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")|(?<![\w.+-])(\d{16,40})(?![\w.+-])/gs;

/** A control character as JSON writes it. */
const escapedControl = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The text with control characters escaped in strings, and null for NaN and Infinity. Where a service copied a newline
 * of `variables` into a string, or wrote NaN for a price, the call stayed open. An id keeps its characters.
 */
function repaired(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const isString = text.charAt(at) === '"';
    const next = text.indexOf('"', at);
    const outside = next === -1 ? text.length : next;
    const end = isString ? pastString(text, at) : outside;
    const piece = text.slice(at, end);
    if (isString) pieces.push(piece.replace(/\p{Cc}/gu, escapedControl));
    else pieces.push(piece.replace(/\p{Cc}/gu, ' ').replace(/-?\b(?:NaN|Infinity)\b/g, 'null'));
    at = end;
  }
  return pieces.join('');
}

/**
 * The value of a text that is exactly one JSON value, with null for what lies deeper than 10,000 levels; otherwise
 * `undefined`. Where an answer held 500,000 nested lists beside the id, the call stayed open; parsed, two million lists
 * took more than 128 MiB and ended the run.
 */
function wholeJson(text: string): unknown {
  const shallow = withoutDepth(text);
  const asSent = parsedJson(shallow);
  const json = asSent === undefined ? repaired(shallow) : shallow;
  const value = asSent ?? parsedJson(json);
  // Only in valid JSON: on over a million escaped quotes outside a string, the search would take hours.
  if (value === undefined || !/\d{16}/.test(json)) return value;
  return parsedJson(json.replace(LONG_NUMBER, (all, _text, digits?: string) => (digits ? `"${digits}"` : all)));
}

/** The objects in a text that holds several values, or other text around them, in order. */
function valuesWithin(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < Math.min(text.length, READ.parsed); at += 1) {
    const character = text.charAt(at);
    if (character === '"' && depth > 0) at = pastString(text, at) - 1;
    else if (character === '{') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) values.push(wholeJson(text.slice(start, at + 1)));
    }
  }
  return values;
}

/** The ids at the named places of a value, level by level. A target may answer with a list of the one call. */
function idsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  let level = (Array.isArray(value) && value.length === 1 ? value : [value]).filter(isObject);
  while (level.length > 0) {
    for (const holder of level) for (const name of CALL_ID_NAMES) found.push(...usable(holder[name]));
    level = level.flatMap((holder) => HOLDERS.map((name) => holder[name]).filter(isObject));
  }
  return found;
}

/** The path of a link, which may be relative to that of its request (RFC 9110, section 10.2.2). */
function pathOfLink(link: string, from = '/v1/calls/'): string | undefined {
  const base = `http://target.invalid${from}`;
  return URL.canParse(link, base) ? new URL(link, base).pathname : undefined;
}

/** The id in a link to a call. */
function idInLink(link: string): string | undefined {
  const id = /\/calls\/([^/?#]+)\/?$/.exec(pathOfLink(link) ?? link)?.[1];
  return id === undefined ? undefined : idOfSegment(id);
}

const HEADER = 'header:';
/** A field that the settings name holds the id itself, or a link to the call: `Link: </v1/calls/7>; rel="self"`. */
const idInField = (value: string): readonly string[] => {
  const link = /^\s*<([^<>]*)>/.exec(value)?.[1] ?? value;
  return usable(link.includes('/') ? (idInLink(link) ?? link) : link.trim());
};

/** Each id once, as a copy: a slice of the text would keep all of it in memory. */
const distinct = (ids: readonly string[]): readonly string[] =>
  [...new Set(ids)].slice(0, LEARNED.candidates).map(detached);

/**
 * Candidates for the id of the call, the likeliest first: from a `Location` of a call, then at the named places of the
 * body, the shallowest first. `pointer`, if set, is the only place. `isRejected`: only what follows the first value of
 * the body counts, since a handler may write the envelope and still go on.
 */
export function callIdsIn(text: string, headers: readonly Header[], pointer?: string, isRejected = false) {
  if (pointer?.startsWith(HEADER)) {
    const name = pointer.slice(HEADER.length).toLowerCase();
    if (isRejected && name !== 'location') return [];
    return distinct(headerValues(headers, name).flatMap(idInField));
  }
  const whole = wholeJson(text);
  const values = (whole === undefined ? valuesWithin(text) : [whole]).slice(isRejected ? 1 : 0);
  if (pointer !== undefined) return distinct(values.flatMap((value) => usable(valueAt(value, pointer))));
  const located = headerValues(headers, 'location').flatMap((link) => usable(idInLink(link)));
  return distinct([...located, ...values.flatMap(idsIn)]);
}

/** Names of fields that hold an id, and what links to a call. */
const OF_AN_ID = /^(?:content-location|(?:x-)?(?:resource|call)-?(?:id|uuid|sid))$/i;
const TO_A_CALL = /\/calls\/[^/?#]/;

/**
 * Where `PCS_CALL_ID_POINTER` could find the id if no named place shows one: `body` if that has any value, a field
 * whose name suggests an id or that links to a call, or nowhere.
 */
export function placeOfId(text: string, headers: readonly Header[]): string | undefined {
  const field = headers.find(([name, value]) => OF_AN_ID.test(name) || TO_A_CALL.test(value));
  if (field !== undefined) return `${HEADER}${field[0]}`;
  const value = wholeJson(text);
  if (value === undefined || !/"[^"]+"\s*:\s*["\d-]|^\s*["\d[]/.test(text)) return undefined;
  // No pointer reaches into a record that was encoded twice.
  return typeof value === 'string' && isObject(parsedJson(value)) ? undefined : 'body';
}

/**
 * What is known of an id before the answer comes. `again`: an earlier create call showed it as the id of its call;
 * `seen`: another answer, the settings or the request show it.
 */
export type KnownIds = (id: string) => 'again' | 'seen' | 'new';

/** What the answer to a create call on that path shows, for the record; `isClean`: an id may be recorded. */
export function learnedOfCreate(
  answer: WireAnswer,
  path: string,
  known: KnownIds,
  isClean: (id: string) => boolean,
  pointer?: string,
): Learned {
  const { status, headers, body, cut } = answer;
  const text = textOf(body);
  const isRejected = status >= 400 && status < 500 && !cut;
  const shown = callIdsIn(text, headers, pointer, isRejected);
  const earlier = isSuccess(status) ? shown.filter((id) => known(id) === 'again') : [];
  const isRepeated = earlier.length === shown.length;
  const ids = isRepeated ? shown : shown.filter((id) => known(id) === 'new');
  const shownAgain = earlier.filter(isClean);
  const again = shownAgain.length === 0 ? {} : { again: shownAgain };
  const callIds = ids.filter(isClean);
  if (callIds.length > 0) return { create: isRepeated ? 'repeated' : 'placed', callIds, ...again };
  if (ids.length > 0) return { create: 'unclear', ...again };
  if (isRejected || mayBePutOff(answer, path)) return { create: 'rejected' };
  const idIn = isSuccess(status) && pointer === undefined ? placeOfId(text, headers) : undefined;
  return { create: 'unclear', ...withoutUndefined({ idIn }), ...again };
}

/** A lawful router may redirect the undocumented slash form. */
function mayBePutOff({ status, headers, cut }: WireAnswer, path: string): boolean {
  if (cut) return false;
  if (isRetryableStatus(status)) return true;
  const there = pathOfLink(headerValue(headers, 'location') ?? '', path);
  return [301, 307, 308].includes(status) && !path.endsWith('/') && there?.endsWith('/calls/') === true;
}
