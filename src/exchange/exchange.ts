/**
 * The record of one request and its response. Judging sees nothing else, so that a verdict
 * can be recomputed from it later. It holds no credential, no secret and no value of a success body.
 */

import type { CredentialForm } from './credential-forms.ts';
import { type FailureKind, headerValue } from './message.ts';

export type { CredentialForm } from './credential-forms.ts';

/** Query parameters for a credential, all sent: a reader knows at least one (Laravel `api_token`, Kong `apikey`). */
export const QUERY_NAMES = ['access_token', 'token', 'api_key', 'api_token', 'auth_token', 'apikey'] as const;

/** One header field: name as sent, value redacted. */
export type RecordedHeader = readonly [name: string, value: string];

/** JSON's types, with integers separate from other numbers. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/**
 * One member of a JSON body. `pointer` is a JSON Pointer in which every array index is written `-`.
 * Only booleans have a `value`; other scalars outside arrays have a `digest`: equal values of a run have equal
 * digests, which reveal nothing else.
 */
export interface RecordedMember {
  readonly pointer: string;
  readonly type: JsonType;
  readonly value?: boolean;
  readonly digest?: string;
}

/** A body as facts. Requests and error responses have a (redacted) `text`, success bodies never do. */
export interface RecordedBody {
  /** Bytes, after any content coding was removed. */
  readonly length: number;
  readonly digest: string;
  readonly utf8: boolean;
  readonly byteOrderMark: boolean;
  /** `invalid` where the bytes are not JSON (RFC 8259); `reason` says why, without quoting them. */
  readonly json: 'valid' | 'invalid';
  readonly reason?: string;
  /** At most 200 members and 8 KiB of pointers, in the order of the document; a name past 256 characters is folded. */
  readonly members: readonly RecordedMember[];
  /** The body has more members than were listed or examined. */
  readonly membersCut?: true;
  /** Labels of watched values (ids of resources and calls) that occur in the body, sorted. */
  readonly mentions: readonly string[];
  /**
   * The redacted text. Of an answer longer than 8 KiB only the envelope is kept, with its strings cut short, or the
   * beginning of another text, and `pruned` says so.
   */
  readonly text?: string;
  readonly pruned?: true;
  /**
   * For an error response: a digest of its code and message, or else of its text, without ids and long numbers.
   * Responses that say the same have the same digest, whatever is masked in their text.
   */
  readonly wording?: string;
  /** The body was longer than the limit; the rest was neither read nor judged. */
  readonly cut?: true;
}

/** A secret leaked in a response: which, in which encoding, and where. */
export interface RecordedLeak {
  readonly secret: 'credential' | 'inbound-secret' | 'gateway-header' | 'url-token';
  readonly encoding: string;
  readonly where: 'body' | 'header';
}

/** The request. `path` is below the base URL, exactly as sent (query included). */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: CredentialForm;
  /** Without Authorization, which `credential` replaces. */
  readonly headers: readonly RecordedHeader[];
  readonly body: RecordedBody | null;
}

/** Fields of a resource as a response showed them. */
export type ShownFields = Readonly<Record<string, string | number | boolean | null>>;

/** Placeholder for the name of another trunk of the organization, wherever the run writes or shows it. */
export const OTHER_NAME = '⟦name of another trunk⟧';

/** Placeholder for the configured inbound secret in the record. */
export const CONFIGURED_SECRET = '⟦configured inbound secret⟧';

/** What the engine needs to know about a response (conformance model, section 9). */
export interface Learned {
  /** The outcome of a create call; `placed` and `repeated` have `callIds`. */
  readonly create?: 'rejected' | 'placed' | 'repeated' | 'unclear';
  /** Candidates for the id of the placed call, the likeliest first. */
  readonly callIds?: readonly string[];
  /** Ids that an earlier response to create call showed, too. */
  readonly again?: readonly string[];
  /** Where `PCS_CALL_ID_POINTER` could point if no known place shows the id of the call: `body`, or `header:NAME`. */
  readonly idIn?: string;
  /** Fields of the trunk or voice application that the run restores. */
  readonly fields?: ShownFields;
  /** The carrier connection that a list shows for the configured number; `null` for none. */
  readonly assignment?: string | null;
  /** The first trunk of our list, which a read-only run without a trunk in its settings reads. */
  readonly trunk?: string;
  /** Our list shows another trunk, whose name is written as a boundary value. */
  readonly isAnotherNamed?: true;
  /** A list shows the name that a run wrote to our trunk on another trunk, too. */
  readonly isNameOnAnother?: true;
  /** Marks of runs of this suite in the names that the response shows. */
  readonly marks?: readonly string[];
  /** Settings whose id our list shows for another kind of resource alone. */
  readonly misplaced?: readonly string[];
}

/** A complete answer. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly RecordedHeader[];
  /** There were more header fields than are kept; the others were not judged. */
  readonly headersCut?: true;
  /** `null` if the response has no body at all. */
  readonly body: RecordedBody | null;
  readonly leaks: readonly RecordedLeak[];
  readonly learned?: Learned;
}

/** Why there is no complete response, in a phrase that does not quote the target. */
export interface RecordedFailure {
  readonly kind: FailureKind;
  readonly detail: string;
  /** Set if a status line arrived before the response broke off. */
  readonly status?: number;
}

/** The ids in a request's path: none, of a resource that the suite may use, well-formed only, or malformed. */
export type PathIds = 'none' | 'named' | 'well-formed' | 'malformed';

/**
 * One question that a request asks: a requirement or a gap by its id, in one of its variations (`''` for the whole). A
 * case passes only if each of its variations does. Both parts are compared, never taken apart.
 */
export interface Ask {
  readonly id: string;
  readonly variation: string;
}

/** What a request is within its sequence. */
export type Role =
  | 'probe'
  /** A valid request with the valid credential. */
  | 'control'
  /** The valid credential among invalid ones. */
  | 'between'
  /** A body tried as the base of an operation's probes. */
  | 'candidate'
  /** A valid element or a boundary value without others. */
  | 'alone'
  | 'before'
  | 'change'
  | 'after'
  /** A request for comparison: a made-up id, another spelling with the valid credential, the documented path. */
  | 'compared'
  | 'unknown-route'
  /** Without a credential, beside a valid request. */
  | 'beside'
  /** A call that is placed so that a sequence can be repeated. */
  | 'occasion'
  /** An action with the body `{}`. */
  | 'with-body'
  | 'restore'
  | 'hang-up'
  | 'preflight'
  | 'health-check';

/** The walk of an exploration: the seed of the run, its number and, for a part, the places of its commands. */
export interface RandomOrigin {
  readonly seed: number;
  /** `3`, or `3:0:4`. */
  readonly path: string;
  readonly commands: number;
  /** The label of a random body. */
  readonly body?: number;
}

/** The description of a valid request without anything unusual. */
export const PLAIN_REQUEST = 'a valid request';

/** Why and where in the plan a request was sent. */
export interface ExchangeTag {
  /** The documented operation whose method and path (either slash form) were used, or `null`. */
  readonly operation: string | null;
  /** The operation of this route, if sent as another's spelling: `/v1/trunks/;a.js` is an item of trunks. */
  readonly routedTo?: string;
  /** `true` if method and path are exactly the documented ones. */
  readonly documented: boolean;
  readonly ids: PathIds;
  /** Name of the sequence in the plan: requests that belong together. */
  readonly sequence: string;
  /** How often the sequence was sent before, to ask again after a lock-out. */
  readonly attempt: number;
  readonly role: Role;
  /** How often the same request was sent before: deferred, locked out, or with a symptom. */
  readonly resend: number;
  /** The number of the exchange that it replaces: the same request, or its place in a batch that is repeated. */
  readonly replaces?: number;
  /** What the response is evidence for; invariants are judged on every exchange and need not be named. */
  readonly asks: readonly Ask[];
  /** `true` for a valid request with the valid credential: a control, if it is accepted (model, section 2). */
  readonly control: boolean;
  /** A description of the request for people ("`to` is missing"). */
  readonly about: string;
  /** The form of its header fields, if unusual: `without Accept`. */
  readonly form?: string;
  /** `seq` of a failed request with several boundary values; this request tries some of them. */
  readonly partOf?: number;
  readonly origin?: RandomOrigin;
  /** Set if it was sent on a new connection: a service may carry fields over to the next request on one. */
  readonly fresh?: true;
}

/** One request of the run and its outcome: a response or a failure, never both. */
export interface Exchange {
  /** Position in the run, from 1. */
  readonly seq: number;
  readonly tag: ExchangeTag;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse | null;
  readonly failure: RecordedFailure | null;
  /** Milliseconds since the run began. */
  readonly at: number;
  /** Milliseconds until the response was complete or given up. */
  readonly took: number;
}

/** What was sent and in which form, for people: `the body is a string, without Accept`. */
export const describedIn = ({ about, form, origin }: Pick<ExchangeTag, 'about' | 'form' | 'origin'>): string =>
  [about, form, origin?.body === undefined ? undefined : `random body ${origin.body}`]
    .filter((part) => part !== undefined)
    .join(', ');

/** When an exchange ended, in milliseconds since the run began. */
export const endOf = ({ at, took }: Pick<Exchange, 'at' | 'took'>): number => at + took;

const UNSENT: ReadonlySet<string> = new Set<FailureKind>(['refused', 'unresolved', 'tls']);

/** Whether the request failed before any part of it was sent. */
export const isUnsent = ({ failure }: Pick<Exchange, 'failure'>): boolean => UNSENT.has(failure?.kind ?? '');

const GATEWAY_ERRORS: readonly number[] = [502, 504];

/** Whether the service itself did not answer: no response at all, or a gateway's 502 or 504. */
export function isUnanswered({ response, failure }: Pick<Exchange, 'response' | 'failure'>): boolean {
  return failure !== null || GATEWAY_ERRORS.includes(response?.status ?? 0);
}

/** Statuses by which an HTTP parser says that the path or the header is too long for it. */
const TOO_LONG: readonly number[] = [414, 431];
/** Credentials that an HTTP parser may answer with 400 (nginx: a page for a line over its buffers, here 1 KiB). */
const OF_MALFORMED_FIELDS: readonly string[] = ['non-ascii', 'long'];
/** Statuses with which an HTTP parser rejects a body in chunks (RFC 9112, section 6.1; RFC 9110, section 15.5.12). */
const OF_CHUNKS: readonly number[] = [400, 411, 501];

/** An Accept that is malformed as a media type, as a list and as a weight. */
export const MALFORMED_ACCEPT = 'text, a/b/c, */json;q=x, application/json;q, ;"';
/** Statuses with which a parser of Accept (RFC 9110, section 12.5.1) or of the request target rejects them. */
const OF_FIELDS: readonly number[] = [400, 406];
const STRAY_PERCENT = /\?.*%(?![0-9a-f]{2})/i;

/** Whether the request has a malformed Accept, a field that the interface does not mention. */
export const hasMalformedAccept = ({ request }: Exchange): boolean =>
  headerValue(request.headers, 'accept') === MALFORMED_ACCEPT;

/** Whether the rejection may come from the HTTP parser, which does not know the interface. */
export function isOfTheParser(exchange: Exchange): boolean {
  const { request, response } = exchange;
  const status = response?.status ?? 0;
  if (TOO_LONG.includes(status) || (OF_MALFORMED_FIELDS.includes(request.credential) && status === 400)) return true;
  const isMalformed = hasMalformedAccept(exchange) || STRAY_PERCENT.test(request.path);
  if (isMalformed && OF_FIELDS.includes(status)) return true;
  return OF_CHUNKS.includes(status) && headerValue(request.headers, 'transfer-encoding') !== undefined;
}

/**
 * A plain exchange: documented method and path, and a well-formed or known id for each placeholder. An HTTP parser may
 * answer by itself: 400, 414 or 431 to a field that is not ASCII or too long, 400 to any other malformed request, and
 * its own statuses to a body in chunks. A reader of Accept may fail, too, with 500.
 */
export function isPlain(exchange: Exchange): boolean {
  const { tag, response } = exchange;
  const isOfAccept = hasMalformedAccept(exchange) && (response?.status ?? 0) >= 500;
  return tag.documented && tag.ids !== 'malformed' && !isOfTheParser(exchange) && !isOfAccept;
}

const PAGE_SYMPTOM = 'error that is not JSON';

/** A page: an error whose body is missing or not JSON. */
export function isPage({ response }: Pick<Exchange, 'response'>): boolean {
  if (response === null || response.status < 400) return false;
  return response.body === null || (response.body.json === 'invalid' && response.body.cut !== true);
}

/**
 * A symptom that a network or a gateway may have caused (conformance model, section 5): no complete response, a 5xx
 * other than 503, a page. Returns a key shared by equal symptoms of an operation, or `null`. Believed only if repeated.
 */
export function symptomOf(exchange: Exchange): string | null {
  const { failure, response, tag } = exchange;
  const status = response?.status ?? 0;
  if (failure === null && status < 400) return null;
  const operation = tag.operation ?? 'undocumented';
  if (failure !== null) return `${operation}: ${failure.kind}`;
  // A 5xx may come from a gateway, whatever the id.
  const isJudged = status >= 500 ? tag.documented && !isOfTheParser(exchange) : isPlain(exchange);
  if (!isJudged && status !== 502 && status !== 504) return null;
  if (status >= 500 && status !== 503) return `${operation}: ${status}`;
  return isPage(exchange) ? `${operation}: ${PAGE_SYMPTOM}` : null;
}

/** Lists of exchange numbers; an empty list is absent. */
export interface SettledFacts {
  /** Symptoms that every attempt showed: the last attempt of each. */
  readonly confirmed?: readonly number[];
  /** Requests after which the target stopped responding, every time they were sent. */
  readonly crashes?: readonly number[];
  /** Outages of the target, each from its first symptom to the read that shows its end. */
  readonly outages?: readonly (readonly [from: number, to: number])[];
  /** Rejections during a lock-out. */
  readonly lockedOut?: readonly number[];
}
