/** One recorded exchange, from any recorder. Nothing in a file is trusted to have the right type. */

import { type FoundOperation, foundOperation } from '../client/request.ts';
import { percentDecoded } from '../contract/path-text.ts';
import { CREDENTIAL_FORMS, type CredentialForm } from '../exchange/credential-forms.ts';
import { QUERY_NAMES, type RecordedBody, type RecordedLeak, type RecordedResponse } from '../exchange/exchange.ts';
import { isObject } from '../exchange/json-text.ts';
import {
  type FailureKind,
  type Header,
  headerValue,
  type WireFailure,
  type WireOutcome,
  type WireRequest,
} from '../exchange/message.ts';
import type { TrafficField } from '../verdict/requirement.ts';
import { type Body, bodyIn, isMemberSet, type Members } from './body.ts';

/** The operation of a request, and the address of its service as written: empty if the recording has only the path. */
export interface RequestPlace extends FoundOperation {
  readonly address: string;
  /** Below the address, as it was sent, query included. */
  readonly path: string;
}

/** Why the recording does not show a part of an exchange, or a header field of its response, as it was sent. */
export type Unknown = { -readonly [Part in 'authorization' | 'body' | TrafficField]?: string };

/** A request and its outcome. */
export interface TrafficEntry {
  readonly place: RequestPlace;
  readonly request: WireRequest;
  /** The value of the Authorization field without its scheme. */
  readonly token: string | undefined;
  /** `null` if a cache answered or the client gave up: the service sent nothing. */
  readonly outcome: WireOutcome | null;
  /** The body of the response as recorded; `isSaid`: it comes from a log, which may have left it out. */
  readonly body: Body;
  readonly isSaid: boolean;
  /** What the entry itself leaves unknown; `settledPieces` adds what its recorder does not keep. */
  readonly unknown: Unknown;
  /** Milliseconds since the epoch, if it was kept. */
  readonly at: number | undefined;
  readonly took: number;
  /** What our own record adds to HAR: success bodies as facts, and secrets as placeholders. */
  readonly facts: { readonly credential: CredentialForm; readonly response: Partial<RecordedResponse> } | undefined;
}

const ROOT = '/v1/';

/**
 * One spelling for all spellings of an address: letter case, default port and IPv6 as in the URL standard, without a
 * dot behind the host and needless %, and without a user name and a password, which are never shown.
 */
export function addressOf(written: string): string {
  if (!/^https?:\/\//i.test(written) || !URL.canParse(written))
    return written.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1').replace(/\/+$/, '');
  const { protocol, hostname, port, pathname } = new URL(written);
  const host = `${hostname.replace(/\.$/, '')}${port === '' ? '' : `:${port}`}`;
  const path = pathname.includes('%') ? encodeURI(percentDecoded(pathname)) : pathname;
  return `${protocol}//${host}${path}`.replace(/\/+$/, '');
}

/** The place of a request, in either slash form; `null` if the interface has no such method and path. */
export function placeOf(method: string, url: string): RequestPlace | null {
  const [route = ''] = url.split(/[?#]/, 1);
  for (let at = route.indexOf(ROOT); at >= 0; at = route.indexOf(ROOT, at + 1)) {
    const found = foundOperation(method, route.slice(at));
    if (found === null) continue;
    return { address: url.slice(0, at), path: url.slice(at).replace(/#.*$/s, ''), ...found };
  }
  return null;
}

const objectIn = (value: unknown): Members => (isObject(value) ? value : {});

/** A line of a header section. */
const FIELD_LINE = /^(:?[^:\s]+):\s*(.*)$/;

/** Names and values: of a list of objects (HAR), an object, pairs, lines, or alternating as in Node's `rawHeaders`. */
function fieldsIn(value: unknown): readonly (readonly unknown[])[] {
  if (typeof value === 'string') return fieldsIn(value.split(/\r?\n/));
  if (!Array.isArray(value)) return Object.entries(objectIn(value));
  const texts = value.filter((item) => typeof item === 'string' && !/^(?:HTTP\/.*)?$/.test(item));
  if (texts.length === 0)
    return value.map((item) => (Array.isArray(item) ? item : [objectIn(item)['name'], objectIn(item)['value']]));
  if (FIELD_LINE.test(texts[0])) return texts.map((line) => (FIELD_LINE.exec(line) ?? []).slice(1));
  return value.flatMap((name, at) => (at % 2 === 0 ? [[name, value[at + 1]]] : []));
}

/** The header fields of a message, however its recorder writes them. */
function headersIn(value: unknown): readonly Header[] {
  const headers: Header[] = [];
  const add = (name: unknown, text: unknown): void => {
    // HTTP/2 has pseudo fields, such as :status; a field without its value was masked.
    if (typeof name !== 'string' || (typeof text !== 'string' && typeof text !== 'number')) return;
    if (!name.startsWith(':')) headers.push([name, `${text}`]);
    else if (name === ':authority') headers.push(['host', `${text}`]);
  };
  for (const [name, some] of fieldsIn(value)) for (const text of [some].flat()) add(name, text);
  return headers;
}

/** Members that say that a cache, a worker or a mock answered. */
const NOT_SENT = /from_?\w*(?:cache|worker)|via_?service|mocked/i;
/** Members that hold the state of a cache. */
const IN_A_CACHE = /^(?:before|after)Request$/;
/** Fields (also masked) and members that may hold a client's credential, which it adds when it sends. */
const LIKE_A_CREDENTIAL = /^(?!proxy-|:).*(?:auth|cookie|cred|key|secret|session|sign|token)/i;

/** Whether these are facts about a body, as our own record has them. */
const isBodyFacts = (value: unknown): value is RecordedBody =>
  isObject(value) &&
  ['members', 'mentions'].every((name) => Array.isArray(value[name])) &&
  (value['members'] as readonly unknown[]).every((member) => isObject(member) && typeof member['pointer'] === 'string');

function ownFacts(request: Members, response: Members): TrafficEntry['facts'] {
  const credential = CREDENTIAL_FORMS.find((form) => form === request['_credential']);
  if (credential === undefined) return undefined;
  const { _facts: facts, text } = objectIn(response['content']);
  const leaks = [response['_leaks']].flat().filter(isObject) as unknown as readonly RecordedLeak[];
  const kept = isBodyFacts(facts) ? { body: { ...facts, ...(typeof text === 'string' && { text }) } } : {};
  return { credential, response: { leaks, ...kept } };
}

/** The failure in our own record; the error of a browser may be about the client. */
function failureIn({ _failure: recorded }: Members): WireFailure | null {
  const { kind, detail } = objectIn(recorded);
  return typeof kind === 'string' && typeof detail === 'string'
    ? { ...objectIn(recorded), detail, failure: kind as FailureKind, kind: 'failure' }
    : null;
}

/** Whether the service did not answer itself, or answered a conditional or partial request, unknown to the API. */
function isBesideInterface(entry: Members, response: Members, status: number, headers: readonly Header[]): boolean {
  // Safari has _fetchType, Firefox fills `cache`; other recorders leave both out, or write null.
  const { _fetchType: fetched, cache } = entry;
  if (typeof fetched === 'string' && !/network/i.test(fetched)) return true;
  if (
    [entry, response].some((part) => isMemberSet(part, NOT_SENT)) ||
    isMemberSet(objectIn(cache), IN_A_CACHE) ||
    status === 304
  )
    return true;
  const asked = (pattern: RegExp): boolean => headers.some(([name]) => pattern.test(name));
  return status === 412 ? asked(/^if-/i) : (status === 206 || status === 416) && asked(/^range$/i);
}

/** The exchange in a JSON value: `null` if not of the interface, a sentence if the value is not an exchange. */
export function entryOf(value: unknown, isInHar: boolean): TrafficEntry | string | null {
  const entry = objectIn(value);
  const [sent, response] = [objectIn(entry['request']), objectIn(entry['response'])];
  const isHar = isInHar || 'startedDateTime' in entry || 'content' in response;
  const { method: written, url, postData } = sent;
  if (typeof written !== 'string' || typeof url !== 'string')
    return 'it is not an exchange (request.method, request.url and response.status)';
  // Some clients write it in lower case.
  const method = written.trim().toUpperCase();
  const place = placeOf(method, url.trim());
  if (place === null) return null;
  const status = Number(response['status'] ?? 0);
  const facts = ownFacts(sent, response);
  const headers = headersIn(response['headers']);
  const isAborted = Boolean(response['_error']);
  const content = isHar ? objectIn(response['content']) : undefined;
  const body = bodyIn(response, content, headers, isAborted);
  // In a HAR, `mimeType` is the value of the field: a recorder may leave the field itself out.
  const isLabelled = headerValue(headers, 'content-type') === undefined && /json/i.test(String(content?.['mimeType']));
  const requestHeaders = headersIn(sent['headers']);
  const requestBody = bodyIn(sent, isObject(postData) ? postData : undefined, requestHeaders).bytes;
  const failure = facts === undefined ? null : failureIn(response);
  // Anything else that a recorder writes as the status means that there was no response.
  const isAnswered = status >= 200 && status < 1_000;
  // A browser's own redirect to https does not come from the service.
  const isSilent = failure === null && (!isAnswered || headers.some(([name]) => /^non-authoritative-/i.test(name)));
  const answer = { kind: 'answer', status, headers, body: body.bytes ?? new Uint8Array(), cut: false } as const;
  const started = entry[isHar ? 'startedDateTime' : 'time'];
  const time = typeof started === 'number' ? started : Date.parse(String(started));
  const token = headerValue(requestHeaders, 'authorization')
    ?.replace(/^\s*\S+\s+/, '')
    .trim();
  const isElsewhere =
    fieldsIn(sent['headers']).some(([name]) => LIKE_A_CREDENTIAL.test(String(name))) ||
    QUERY_NAMES.some((name) => place.path.includes(`${name}=`)) ||
    isMemberSet(sent, LIKE_A_CREDENTIAL);
  return {
    place,
    request: { method, path: place.path, headers: requestHeaders, body: requestBody, timeout: 0 },
    token,
    outcome: isSilent || isBesideInterface(entry, response, status, requestHeaders) ? null : (failure ?? answer),
    body,
    isSaid: !isHar,
    unknown: {
      ...(token === undefined && isElsewhere && { authorization: 'perhaps elsewhere, or masked' }),
      ...(isLabelled && { 'content-type': 'kept as mimeType alone' }),
    },
    at: Number.isFinite(time) ? time : undefined,
    took: Math.max(0, Number(entry[isHar ? 'time' : 'duration']) || 0),
    facts,
  };
}
