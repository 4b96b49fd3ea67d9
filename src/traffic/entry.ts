/** One recorded exchange, from any recorder. Nothing in a file is trusted to have the right type. */

import { CREDENTIAL_FORMS, type CredentialForm } from '../exchange/credential-forms.ts';
import type { FailureKind, RecordedBody, RecordedFailure, RecordedLeak } from '../exchange/exchange.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import type { Piece } from './reader.ts';

/** A body: its text or its bytes, `null` for none, `undefined` where the recording does not hold it. */
export type Body = string | Uint8Array | null | undefined;

/** What our own record says beyond HAR: success bodies stand there as facts, and secrets as placeholders. */
export interface OwnFacts {
  readonly path: string;
  readonly credential: CredentialForm;
  readonly leaks: readonly RecordedLeak[];
  readonly body?: RecordedBody;
}

/** A request and what came of it. */
export interface Entry {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  readonly requestBody: Body;
  /** `null` for no complete response. */
  readonly status: number | null;
  /** `null` where the recording does not hold them. */
  readonly headers: readonly Header[] | null;
  readonly body: Body;
  readonly failure: RecordedFailure | null;
  /** A cache answered, or the client gave up: the service said nothing. */
  readonly isSilent: boolean;
  readonly at: number;
  readonly took: number;
  readonly own?: OwnFacts;
}

const NOT_AN_EXCHANGE = 'it is not an exchange (request.method, request.url and response.status)';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const objectIn = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
const numberIn = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

/** Header fields as HAR has them (a list of names and values) or as NDJSON has them (an object). */
function headersIn(value: unknown): readonly Header[] | null {
  if (Array.isArray(value)) {
    return value.flatMap((field): readonly Header[] => {
      const [name, text] = [textIn(objectIn(field)['name']), textIn(objectIn(field)['value'])];
      // HTTP/2 has pseudo fields, such as :status.
      return name === undefined || text === undefined || name.startsWith(':') ? [] : [[name, text]];
    });
  }
  if (!isObject(value)) return null;
  const headers: Header[] = [];
  for (const [name, one] of Object.entries(value)) {
    if (!Array.isArray(one)) headers.push([name, String(one)]);
    else for (const text of one) headers.push([name, String(text)]);
  }
  return headers;
}

function bodyIn({ body, bodyBase64 }: Readonly<Record<string, unknown>>): Body {
  if (typeof bodyBase64 === 'string') return Buffer.from(bodyBase64, 'base64');
  return body === null || body === '' ? null : textIn(body);
}

/** Errors of a browser that say that the service's own answer was broken; all others may be about the client. */
const BROKEN: readonly (readonly [RegExp, FailureKind])[] = [
  [/ERR_(?:EMPTY_RESPONSE|CONNECTION_RESET)/, 'reset'],
  [/ERR_(?:CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING)/, 'short'],
  [/ERR_INVALID_(?:HTTP_RESPONSE|CHUNKED_ENCODING)/, 'malformed'],
];

/** A response body in HAR: a recorder may leave it out, or keep the beginning of it. */
function harBody(response: Readonly<Record<string, unknown>>, headers: readonly Header[] | null): Body {
  const { text, encoding, size } = objectIn(response['content']);
  if (typeof text === 'string' && text !== '') {
    if (encoding === 'base64') return Buffer.from(text, 'base64');
    const isShort = typeof size === 'number' && text.length < size && Buffer.byteLength(text) < size;
    return isShort && parsedJson(text) === undefined ? undefined : text;
  }
  const length = headerValue(headers ?? [], 'content-length');
  const isSaid = length?.trim() === '0' || response['status'] === 204;
  const isUnsaid = length === undefined && headerValue(headers ?? [], 'content-encoding') === undefined;
  return isSaid || (isUnsaid && size === 0 && response['bodySize'] === 0 && !('_error' in response)) ? null : undefined;
}

function bodyHeld(
  format: 'har' | 'own' | 'ndjson',
  response: Readonly<Record<string, unknown>>,
  headers: readonly Header[] | null,
): Body {
  if (format === 'ndjson') return response['truncated'] === true ? undefined : bodyIn(response);
  const body = harBody(response, headers);
  // Our own record leaves no body out: it holds at least its facts.
  return body === undefined && format === 'own' ? null : body;
}

/** Whether these are facts as a record has them. */
const isBodyFacts = (value: unknown): value is RecordedBody =>
  isObject(value) &&
  ['members', 'mentions'].every((name) => Array.isArray(value[name])) &&
  (value['members'] as readonly unknown[]).every((one) => isObject(one) && typeof one['pointer'] === 'string');

const isFailure = (value: unknown): value is RecordedFailure =>
  isObject(value) && typeof value['kind'] === 'string' && typeof value['detail'] === 'string';

function ownFacts(request: Readonly<Record<string, unknown>>, response: Readonly<Record<string, unknown>>): OwnFacts {
  const { _facts: facts, text } = objectIn(response['content']);
  const leaks = Array.isArray(response['_leaks']) ? response['_leaks'].filter(isObject) : [];
  return {
    path: textIn(request['_path']) ?? '',
    credential: CREDENTIAL_FORMS.find((form) => form === request['_credential']) ?? 'valid',
    leaks: leaks as unknown as readonly RecordedLeak[],
    ...(isBodyFacts(facts) ? { body: typeof text === 'string' ? { ...facts, text } : facts } : {}),
  };
}

/** Whether the interface knows no such response: from a browser's cache, or of a conditional or partial request. */
function isConditional(status: number, headers: readonly Header[]): boolean {
  const asked = (pattern: RegExp): boolean => headers.some(([name]) => pattern.test(name));
  if (status === 304) return true;
  return status === 412 ? asked(/^if-/i) : (status === 206 || status === 416) && asked(/^range$/i);
}

/** The exchange of a piece, or a sentence that says why it is none. */
export function entryOf({ value, format }: Piece & { readonly kind: 'entry' }): Entry | string {
  const { request: sent, response: came, ...rest } = objectIn(value);
  const [request, response] = [objectIn(sent), objectIn(came)];
  const [method, url] = [textIn(request['method']), textIn(request['url'])];
  const status = format === 'ndjson' && came === null ? 0 : response['status'];
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status < 1_000 && status >= -1;
  if (method === undefined || url === undefined || !isStatus) return NOT_AN_EXCHANGE;
  const isHar = format !== 'ndjson';
  const headers = headersIn(response['headers']);
  const requestHeaders = headersIn(request['headers']) ?? [];
  const known = headers !== null && (headers.length > 0 || format !== 'har') ? headers : null;
  const started = rest[isHar ? 'startedDateTime' : 'time'];
  const error = textIn(response['_error']) ?? '';
  const broken = BROKEN.find(([pattern]) => pattern.test(error))?.[1];
  const own = format === 'own' ? ownFacts(request, response) : undefined;
  const recorded = own !== undefined && isFailure(response['_failure']) ? response['_failure'] : null;
  const failure = recorded ?? (broken === undefined ? null : { kind: broken, detail: 'the response broke off' });
  const isCached =
    ['_fromCache', '_servedFromCache'].some((name) => Boolean(rest[name])) ||
    Boolean(response['_fetchedViaServiceWorker']);
  return {
    method,
    url,
    requestHeaders,
    requestBody: isHar ? textIn(objectIn(request['postData'])['text']) : bodyIn(request),
    status: failure !== null || status <= 0 ? null : status,
    headers: known,
    body: bodyHeld(format, response, known),
    failure,
    isSilent: isCached || isConditional(status, requestHeaders) || (failure === null && (status < 200 || error !== '')),
    at: typeof started === 'number' ? started : Date.parse(textIn(started) ?? '') || 0,
    took: numberIn(rest[isHar ? 'time' : 'duration']),
    ...(own === undefined ? {} : { own }),
  };
}
