/** One recorded exchange, from any recorder. Nothing in a file is trusted to have the right type. */

import { type FoundOperation, operationOf } from '../client/request-path.ts';
import { CREDENTIAL_FORMS, type CredentialForm } from '../exchange/credential-forms.ts';
import type { FailureKind, RecordedBody, RecordedLeak, RecordedResponse } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { type Header, headerValue, type WireFailure, type WireOutcome } from '../exchange/message.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';
import type { EntryPiece } from './reader.ts';

type Members = Readonly<Record<string, unknown>>;

/** The bytes of a body, `null` for none, `undefined` where the recording does not hold it. */
type Body = Uint8Array | null | undefined;

/** The operation of a request, and the address of its service: empty where the recording has only the path. */
export interface Place extends FoundOperation {
  readonly base: string;
  /** Below the base, as it was sent, query included. */
  readonly path: string;
}

/** A request and what came of it. */
export interface Entry extends Place {
  readonly method: string;
  readonly requestHeaders: readonly Header[];
  /** The value of the Authorization field without its scheme. */
  readonly token: string | undefined;
  readonly requestBody: Uint8Array | null;
  /** `null` where a cache answered, or the client gave up: the service said nothing. */
  readonly outcome: WireOutcome | null;
  /** What the recording holds, by what requirements look at. */
  readonly holds: Readonly<Record<NonNullable<JudgedRequirement['traffic']>, boolean>>;
  readonly at: number;
  readonly took: number;
  /** What our own record says beyond HAR: success bodies stand there as facts, and secrets as placeholders. */
  readonly own: { readonly credential: CredentialForm; readonly response: Partial<RecordedResponse> } | undefined;
}

const ROOT = '/v1/';

/** The place of a request, in either slash form, or `null` if method and path are none of the interface. */
export function placeOf(method: string, url: string): Place | null {
  const [route = ''] = url.split(/[?#]/, 1);
  for (let at = route.indexOf(ROOT); at >= 0; at = route.indexOf(ROOT, at + 1)) {
    const found = operationOf(method, route.slice(at));
    if (found === null) continue;
    // A name and a password in an address are never shown.
    const base = url.slice(0, at).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
    return { base, path: url.slice(at).replace(/#.*$/s, ''), ...found };
  }
  return null;
}

const NOT_AN_EXCHANGE = 'it is not an exchange (request.method, request.url and response.status)';

const objectIn = (value: unknown): Members => (isObject(value) ? value : {});

/** Header fields as HAR has them (a list of names and values) or as NDJSON has them (an object). */
function headersIn(value: unknown): readonly Header[] | null {
  const headers: Header[] = [];
  if (Array.isArray(value)) {
    for (const { name, value: text } of value.map(objectIn)) {
      // HTTP/2 has pseudo fields, such as :status.
      if (typeof name === 'string' && typeof text === 'string' && !name.startsWith(':')) headers.push([name, text]);
    }
    return headers;
  }
  if (!isObject(value)) return null;
  for (const [name, one] of Object.entries(value)) {
    for (const text of Array.isArray(one) ? one : [one]) headers.push([name, String(text)]);
  }
  return headers;
}

function ndjsonBody({ body, bodyBase64, truncated }: Members): Body {
  if (truncated === true) return undefined;
  if (typeof bodyBase64 === 'string') return Buffer.from(bodyBase64, 'base64');
  return typeof body === 'string' ? Buffer.from(body) : body === null ? null : undefined;
}

/** A response body in HAR: a recorder may leave it out, or keep the beginning of it. */
function harBody(response: Members, headers: readonly Header[]): Body {
  const { text, encoding, size } = objectIn(response['content']);
  if (typeof text === 'string' && text !== '') {
    if (encoding === 'base64') return Buffer.from(text, 'base64');
    const bytes = Buffer.from(text);
    return bytes.length < Number(size) && parsedJson(text) === undefined ? undefined : bytes;
  }
  const length = headerValue(headers, 'content-length');
  const isSaid = length?.trim() === '0' || response['status'] === 204;
  const isUnsaid = length === undefined && headerValue(headers, 'content-encoding') === undefined;
  return isSaid || (isUnsaid && size === 0 && response['bodySize'] === 0 && !('_error' in response)) ? null : undefined;
}

/** No longer body is read, as in a run. */
const within = (body: Body): Body => (body != null && body.length > 8 * 1024 * 1024 ? undefined : body);

/** Whether these are facts as a record has them. */
const isBodyFacts = (value: unknown): value is RecordedBody =>
  isObject(value) &&
  ['members', 'mentions'].every((name) => Array.isArray(value[name])) &&
  (value['members'] as readonly unknown[]).every((one) => isObject(one) && typeof one['pointer'] === 'string');

function ownFacts(request: Members, response: Members): Entry['own'] {
  const { _facts: facts, text } = objectIn(response['content']);
  const leaks = Array.isArray(response['_leaks']) ? response['_leaks'].filter(isObject) : [];
  return {
    credential: CREDENTIAL_FORMS.find((form) => form === request['_credential']) ?? 'valid',
    response: {
      leaks: leaks as unknown as readonly RecordedLeak[],
      ...(isBodyFacts(facts) ? { body: typeof text === 'string' ? { ...facts, text } : facts } : {}),
    },
  };
}

/** Errors of a browser that say that the service's own answer was broken; all others may be about the client. */
const BROKEN: readonly (readonly [RegExp, FailureKind])[] = [
  [/ERR_(?:EMPTY_RESPONSE|CONNECTION_RESET)/, 'reset'],
  [/ERR_(?:CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING)/, 'short'],
  [/ERR_INVALID_(?:HTTP_RESPONSE|CHUNKED_ENCODING)/, 'malformed'],
];

/** What broke off: our own record says it, or the error of a browser. */
function failureIn({ _failure: recorded, _error: error }: Members, isOwn: boolean): WireFailure | null {
  const { kind, detail } = objectIn(recorded);
  if (isOwn && typeof kind === 'string' && typeof detail === 'string')
    return { ...objectIn(recorded), detail, failure: kind as FailureKind, kind: 'failure' };
  const [, failure] = BROKEN.find(([pattern]) => pattern.test(String(error))) ?? [];
  return failure === undefined ? null : { kind: 'failure', failure, detail: 'the response broke off' };
}

/** Whether the interface knows no such response: from a cache, or of a conditional or partial request. */
function isBesideInterface(entry: Members, response: Members, headers: readonly Header[]): boolean {
  const { status } = response;
  const asked = (pattern: RegExp): boolean => headers.some(([name]) => pattern.test(name));
  if (entry['_fromCache'] || entry['_servedFromCache'] || response['_fetchedViaServiceWorker']) return true;
  if (status === 304) return true;
  return status === 412 ? asked(/^if-/i) : (status === 206 || status === 416) && asked(/^range$/i);
}

/** The exchange of a piece, `null` for one that is none of the interface, or a sentence that says why it is none at all. */
export function entryOf({ value, format }: EntryPiece): Entry | string | null {
  const entry = objectIn(value);
  const [request, response] = [objectIn(entry['request']), objectIn(entry['response'])];
  const { method, url } = request;
  const isHar = format !== 'ndjson';
  const status = !isHar && entry['response'] === null ? 0 : response['status'];
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= -1 && status < 1_000;
  if (typeof method !== 'string' || typeof url !== 'string' || !isStatus) return NOT_AN_EXCHANGE;
  const place = placeOf(method, url);
  if (place === null) return null;
  const requestHeaders = headersIn(request['headers']) ?? [];
  const authorization = headerValue(requestHeaders, 'authorization');
  const known = headersIn(response['headers']);
  const headers = known ?? [];
  const body = within(isHar ? harBody(response, headers) : ndjsonBody(response));
  const sent = isHar ? { body: objectIn(request['postData'])['text'] } : request;
  const failure = failureIn(response, format === 'own');
  const isSilent = failure === null && (status < 200 || Boolean(response['_error']));
  const answer = { kind: 'answer', status, headers, body: body ?? new Uint8Array(), cut: false } as const;
  const started = entry[isHar ? 'startedDateTime' : 'time'];
  // A spread before other members would take longer than all the rest.
  return {
    method,
    requestHeaders,
    token: authorization?.replace(/^\s*\S+\s+/, '').trim(),
    requestBody: within(ndjsonBody(sent)) ?? null,
    outcome: isSilent || isBesideInterface(entry, response, requestHeaders) ? null : (failure ?? answer),
    holds: {
      status: true,
      // A HAR has an empty list where a recorder left the fields out; our own record leaves nothing out.
      header: known !== null && (known.length > 0 || format !== 'har'),
      body: format === 'own' || failure !== null || body !== undefined,
      pair: false,
    },
    at: typeof started === 'number' ? started : Date.parse(String(started)) || 0,
    took: Math.max(0, Number(entry[isHar ? 'time' : 'duration']) || 0),
    own: format === 'own' ? ownFacts(request, response) : undefined,
    ...place,
  };
}
