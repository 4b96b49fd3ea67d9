/** One recorded exchange, from any recorder. Nothing in a file is trusted to have the right type. */

import { type FoundOperation, operationOf } from '../client/request-path.ts';
import { CREDENTIAL_FORMS, type CredentialForm } from '../exchange/credential-forms.ts';
import type { FailureKind, RecordedBody, RecordedLeak, RecordedResponse } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { type Header, headerValue, type WireFailure, type WireOutcome, type WireRequest } from '../exchange/message.ts';
import type { JudgedRequirement } from '../verdict/requirement.ts';

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
export interface Entry {
  readonly place: Place;
  readonly request: WireRequest;
  /** The value of the Authorization field without its scheme. */
  readonly token: string | undefined;
  /** `null` where a cache answered, or the client gave up: the service said nothing. */
  readonly outcome: WireOutcome | null;
  /** What the recording lacks, by what requirements look at. */
  readonly lacks: Readonly<Record<NonNullable<JudgedRequirement['traffic']>, boolean>>;
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

const objectIn = (value: unknown): Members => (isObject(value) ? value : {});

/** Header fields as HAR has them (a list of names and values) or as NDJSON has them (an object). */
function headersIn(value: unknown): readonly Header[] {
  const headers: Header[] = [];
  const add = (name: unknown, text: unknown): void => {
    // HTTP/2 has pseudo fields, such as :status.
    if (typeof name === 'string' && typeof text === 'string' && !name.startsWith(':')) headers.push([name, text]);
  };
  if (Array.isArray(value)) for (const { name, value: text } of value.map(objectIn)) add(name, text);
  for (const [name, some] of Array.isArray(value) ? [] : Object.entries(objectIn(value)))
    for (const one of Array.isArray(some) ? some : [some]) add(name, String(one));
  return headers;
}

/** A body as NDJSON has it; no longer one is read, as in a run. */
function bodyIn({ body, bodyBase64, truncated }: Members): Body {
  if (truncated === true) return undefined;
  const text = typeof bodyBase64 === 'string' ? bodyBase64 : body;
  if (typeof text !== 'string') return text === null ? null : undefined;
  const bytes = Buffer.from(text, text === body ? 'utf8' : 'base64');
  return bytes.length > 8 * 1024 * 1024 ? undefined : bytes;
}

/** The same for the response body of a HAR: a recorder may leave it out, or keep the beginning of it. */
function harBody(response: Members, headers: readonly Header[]): Members {
  const { text, encoding, size } = objectIn(response['content']);
  if (typeof text === 'string' && text !== '') {
    if (encoding === 'base64') return { bodyBase64: text };
    return { body: text, truncated: Buffer.byteLength(text) < Number(size) && parsedJson(text) === undefined };
  }
  const length = headerValue(headers, 'content-length');
  const isSaid = length?.trim() === '0' || response['status'] === 204;
  const isUnsaid = length === undefined && headerValue(headers, 'content-encoding') === undefined;
  const isNone = isSaid || (isUnsaid && size === 0 && response['bodySize'] === 0 && !('_error' in response));
  return isNone ? { body: null } : {};
}

/** Whether these are facts as a record has them. */
const isBodyFacts = (value: unknown): value is RecordedBody =>
  isObject(value) &&
  ['members', 'mentions'].every((name) => Array.isArray(value[name])) &&
  (value['members'] as readonly unknown[]).every((one) => isObject(one) && typeof one['pointer'] === 'string');

function ownFacts(request: Members, response: Members): Entry['own'] {
  const credential = CREDENTIAL_FORMS.find((form) => form === request['_credential']);
  if (credential === undefined) return undefined;
  const { _facts: facts, text } = objectIn(response['content']);
  const leaks = [response['_leaks']].flat().filter(isObject) as unknown as readonly RecordedLeak[];
  if (!isBodyFacts(facts)) return { credential, response: { leaks } };
  return { credential, response: { leaks, body: typeof text === 'string' ? { ...facts, text } : facts } };
}

/** Errors of a browser that say that the service's own answer was broken; all others may be about the client. */
const BROKEN = /ERR_(?:EMPTY_RES|CONNECTION_RES|CONTENT_LENGTH_MIS|INCOMPLETE_CHUNKED|INVALID_(?:HTTP_RES|CHUNKED))/;

/** What broke off: our own record says it, or the error of a browser. */
function failureIn({ _failure: recorded, _error: error }: Members, isOwn: boolean): WireFailure | null {
  const { kind, detail } = objectIn(recorded);
  if (isOwn && typeof kind === 'string' && typeof detail === 'string')
    return { ...objectIn(recorded), detail, failure: kind as FailureKind, kind: 'failure' };
  return BROKEN.test(String(error)) ? { kind: 'failure', failure: 'short', detail: 'the response broke off' } : null;
}

/** Whether the interface knows no such response: from a cache, or of a conditional or partial request. */
function isBesideInterface(entry: Members, response: Members, headers: readonly Header[]): boolean {
  const { status } = response;
  const asked = (pattern: RegExp): boolean => headers.some(([name]) => pattern.test(name));
  if (entry['_fromCache'] || entry['_servedFromCache'] || response['_fetchedViaServiceWorker']) return true;
  if (status === 304) return true;
  return status === 412 ? asked(/^if-/i) : (status === 206 || status === 416) && asked(/^range$/i);
}

/** The exchange that a JSON value holds, `null` for one that is none of the interface, or a sentence that says why it is none at all. */
export function entryOf(value: unknown, isHar: boolean): Entry | string | null {
  const entry = objectIn(value);
  const [sent, response] = [objectIn(entry['request']), objectIn(entry['response'])];
  const { method, url } = sent;
  const status = !isHar && entry['response'] === null ? 0 : response['status'];
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= -1 && status < 1_000;
  if (typeof method !== 'string' || typeof url !== 'string' || !isStatus)
    return 'it is not an exchange (request.method, request.url and response.status)';
  const place = placeOf(method, url);
  if (place === null) return null;
  const own = ownFacts(sent, response);
  const headers = headersIn(response['headers']);
  const body = bodyIn(isHar ? harBody(response, headers) : response);
  const requestHeaders = headersIn(sent['headers']);
  const requestBody = bodyIn(isHar ? { body: objectIn(sent['postData'])['text'] } : sent) ?? null;
  const failure = failureIn(response, own !== undefined);
  const isSilent = failure === null && (status < 200 || Boolean(response['_error']));
  const answer = { kind: 'answer', status, headers, body: body ?? new Uint8Array(), cut: false } as const;
  const started = entry[isHar ? 'startedDateTime' : 'time'];
  return {
    place,
    request: { method, path: place.path, headers: requestHeaders, body: requestBody, timeout: 0 },
    token: headerValue(requestHeaders, 'authorization')
      ?.replace(/^\s*\S+\s+/, '')
      .trim(),
    outcome: isSilent || isBesideInterface(entry, response, requestHeaders) ? null : (failure ?? answer),
    lacks: {
      status: false,
      // A recorder may leave out the fields, or the body; our own record leaves nothing out.
      header: own === undefined && headers.length === 0,
      body: own === undefined && failure === null && body === undefined,
      pair: true,
    },
    at: typeof started === 'number' ? started : Date.parse(String(started)) || 0,
    took: Math.max(0, Number(entry[isHar ? 'time' : 'duration']) || 0),
    own,
  };
}
