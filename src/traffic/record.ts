/** Recorded traffic as exchanges: as much as a verdict needs while it is read, and redacted where one is kept. */

import { type OperationId, operationById } from '../contract/operations.ts';
import { BODY_SCHEMAS } from '../contract/schemas.ts';
import { isSuccess } from '../contract/statuses.ts';
import { plainDigest } from '../exchange/digest.ts';
import type { CredentialForm, Exchange, RecordedBody, RecordedHeader, RecordedMember } from '../exchange/exchange.ts';
import { bodyFacts, jsonTypeOf, membersOf, parsedBody } from '../exchange/facts.ts';
import { isKeptField, recordedValue } from '../exchange/header-fields.ts';
import { isObject, parsedJson } from '../exchange/json-text.ts';
import type { Header } from '../exchange/message.ts';
import type { Body, Entry } from './entry.ts';
import type { Place } from './place.ts';
import type { Secrets } from './secrets.ts';

/** While traffic is read a value stands for itself: it is compared, and gone with its exchange. */
const ITSELF = (data: Uint8Array | string): string => String(data);
const unchanged = (text: string): string => text;
const NOTHING: ReadonlyMap<string, string> = new Map();
/** No longer body is read, as in a run. */
const MOST = 8 * 1024 * 1024;

type Digesting = (data: Uint8Array | string) => string;

/** Members of the body itself and of its `error`: only a trunk is looked at more deeply. */
function fewMembers(value: unknown, digest: Digesting): readonly RecordedMember[] {
  const of = (one: unknown, pointer: string): readonly RecordedMember[] =>
    Object.entries(isObject(one) ? one : {}).map(([name, member]) => ({
      pointer: `${pointer}/${name}`,
      type: jsonTypeOf(member),
      ...(typeof member === 'boolean' ? { value: member } : {}),
      ...(typeof member === 'string' ? { digest: digest(JSON.stringify(member)) } : {}),
    }));
  return isObject(value) ? [...of(value, ''), ...of(value['error'], '/error')] : [];
}

/** The facts of a text; its members are read where they are asked for. */
function factsOf(text: string, digest: Digesting, isDeep: boolean): RecordedBody {
  const byteOrderMark = text.startsWith('\ufeff');
  const parsed = parsedBody(byteOrderMark ? text.slice(1) : text);
  const reason = byteOrderMark ? 'it begins with a byte order mark' : parsed.valid ? undefined : parsed.reason;
  let members: readonly RecordedMember[] | undefined;
  const membersIn = (value: unknown): readonly RecordedMember[] =>
    isDeep ? membersOf(value, unchanged, digest).members : fewMembers(value, digest);
  return {
    length: text.length,
    digest: '',
    utf8: true,
    byteOrderMark,
    mentions: [],
    text,
    json: reason === undefined ? 'valid' : 'invalid',
    ...(reason === undefined ? {} : { reason }),
    get members() {
      members ??= parsed.valid ? membersIn(parsed.value) : [];
      return members;
    },
  };
}

function bodyOf(body: Body, digest: Digesting, isDeep: boolean): RecordedBody | null {
  if (body == null || body.length > MOST) return null;
  if (typeof body === 'string') return factsOf(body, digest, isDeep);
  return bodyFacts(body, { keepText: true, keepWhole: true, redact: unchanged, digest, watch: NOTHING });
}

/** Whether the recording holds the whole body of the response. */
export const holdsBody = ({ body, own }: Entry): boolean =>
  own?.body !== undefined || (body !== undefined && (body === null || body.length <= MOST));

/** The exchange as it is judged; it must not be kept. */
export function exchangeOf(
  entry: Entry,
  place: Place,
  seq: number,
  credential: CredentialForm,
  secrets: Secrets,
): Exchange {
  const { own, status, headers, failure, at, took } = entry;
  const { operation } = place;
  const ids = place.ids !== 'none' && isSuccess(status) ? 'named' : place.ids;
  const tag = { operation, documented: true, ids, sequence: '', attempt: 0, role: 'probe', resend: 0 } as const;
  const digest = own === undefined ? ITSELF : plainDigest;
  const body = own?.body ?? bodyOf(entry.body, digest, operation === 'getTrunk');
  const leaks = own === undefined ? secrets.leaksIn(entry) : own.leaks;
  return {
    ...{ seq, failure, at, took },
    tag: { ...tag, asks: [], control: false, about: '' },
    request: {
      method: entry.method,
      path: place.path,
      credential,
      // Several requirements look for a field among these.
      headers: telling(entry.requestHeaders),
      body: bodyOf(entry.requestBody, digest, false),
    },
    response: status === null ? null : { status, headers: telling(headers ?? []), body, leaks },
  };
}

const telling = (headers: readonly Header[]): readonly Header[] => headers.filter(([name]) => isKeptField(name));

const keptFields = (headers: readonly Header[], redact: (text: string) => string): readonly RecordedHeader[] =>
  headers.map(([name, value]) => [name, recordedValue(name, redact(value))]);

/** The JSON of a request with its names and without its texts and numbers: they belong to a customer. */
function skeletonOf(text: string): string | undefined {
  const value = parsedJson(text);
  const shown = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? '⟦text⟧' : typeof one === 'number' && Math.abs(one) > 999_999 ? '⟦number⟧' : one;
  return value === undefined ? undefined : JSON.stringify(value, shown);
}

/** The exchange as it may be kept: without secrets, numbers and what a customer wrote. */
export function keptExchange(exchange: Exchange, secrets: Secrets, about: string): Exchange {
  const redact = (text: string): string => secrets.redact(text);
  const facts = (body: RecordedBody | null, keepText: boolean): RecordedBody | null => {
    if (body?.text === undefined) return body;
    const options = { keepText, redact, digest: () => '', watch: NOTHING };
    const { text = '', utf8, length, byteOrderMark, json, reason } = body;
    const known = { utf8, length, byteOrderMark, json, ...(reason === undefined ? {} : { reason }) };
    return { ...bodyFacts(Buffer.from(text), options), ...known };
  };
  const { request, response, tag } = exchange;
  const sent = request.body?.text === undefined ? undefined : skeletonOf(request.body.text);
  return {
    ...exchange,
    tag: { ...tag, about },
    request: {
      ...request,
      path: redact(request.path),
      headers: keptFields(request.headers, redact),
      body: request.body && facts({ ...request.body, text: sent ?? '' }, sent !== undefined),
    },
    response: response && {
      ...response,
      headers: keptFields(response.headers, redact),
      body: facts(response.body, !isSuccess(response.status)),
    },
  };
}

/** The documented members that the body of a request has. */
export function membersSent({ tag, request }: Exchange): readonly string[] {
  const { body } = operationById(tag.operation as OperationId);
  if (body === null) return [];
  const known = Object.keys(BODY_SCHEMAS[body].properties ?? {});
  const sent = new Set(request.body?.members.map(({ pointer }) => pointer));
  return known.filter((name) => sent.has(`/${name}`));
}
