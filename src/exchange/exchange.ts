/**
 * The record of one request and what came back. Everything that judges sees this and nothing else, so that a verdict
 * can be recomputed from it later. It holds no credential, no secret and no value of a success body.
 */

import type { CredentialForm } from './credential-forms.ts';
import { type FailureKind, headerValue } from './message.ts';

export type { CredentialForm } from './credential-forms.ts';

/** Names under which a credential is sent in a query string, all at once: a service that reads one knows one of these. */
export const QUERY_NAMES = ['access_token', 'token', 'api_key', 'auth_token'] as const;

/** One header field: name as sent, value redacted. */
export type RecordedHeader = readonly [name: string, value: string];

/** JSON's types, with integers apart from other numbers. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/**
 * One member of a JSON body. `pointer` is a JSON Pointer in which every array index is written `-`.
 * `value` is there for booleans only; `digest` for other scalars outside arrays: equal values of one run have equal
 * digests, and nothing else can be read from them.
 */
export interface RecordedMember {
  readonly pointer: string;
  readonly type: JsonType;
  readonly value?: boolean;
  readonly digest?: string;
}

/** A body as facts; `text` is there for requests and for error answers (redacted), never for a success body. */
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
  /** The body has more members than are listed or were looked at. */
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
   * Of an error answer: a digest of its code and message, or else of its text, as they came and without ids and long numbers.
   * Answers that say the same have the same one, whatever is masked in their text.
   */
  readonly wording?: string;
  /** The body was longer than the limit; the rest was neither read nor judged. */
  readonly cut?: true;
}

/** A secret in an answer: which, in which encoding, and where. */
export interface RecordedLeak {
  readonly secret: 'credential' | 'inbound-secret' | 'gateway-header' | 'url-token';
  readonly encoding: string;
  readonly where: 'body' | 'header';
}

/** What went out. `path` is below the base URL, exactly as sent (query included). */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: CredentialForm;
  /** Without Authorization, which `credential` stands for. */
  readonly headers: readonly RecordedHeader[];
  readonly body: RecordedBody | null;
}

/** Fields of a record as an answer showed them. */
export type ShownFields = Readonly<Record<string, string | number | boolean | null>>;

/** Stands for the name of another trunk of the organization wherever the run writes it or shows it. */
export const OTHER_NAME = '⟦name of another trunk⟧';

/** Stands for the configured inbound secret in the record. */
export const CONFIGURED_SECRET = '⟦configured inbound secret⟧';

/** What the engine needs to know of an answer (conformance model, section 1). */
export interface Learned {
  /** What a create call came to; `placed` and `repeated` have `callIds`. */
  readonly create?: 'rejected' | 'placed' | 'repeated' | 'unclear';
  /** Candidates for the id of the call that was placed, the likeliest first. */
  readonly callIds?: readonly string[];
  /** Ids that an earlier answer to create call showed, too. */
  readonly again?: readonly string[];
  /** Where `PCS_CALL_ID_POINTER` could find the id of the call that no named place shows: `body`, or `header:NAME`. */
  readonly idIn?: string;
  /** Fields of the trunk or voice application that the run restores. */
  readonly fields?: ShownFields;
  /** The carrier connection that a list shows for the configured number; `null` for none. */
  readonly assignment?: string | null;
  /** The first trunk that our own list shows, where a read-only run has no trunk in its settings and reads this one. */
  readonly trunk?: string;
  /** Our own list shows another trunk, with a name that is written as a boundary value. */
  readonly isAnotherNamed?: true;
  /** Marks that a run of this suite leaves in names, as far as the answer shows any. */
  readonly marks?: readonly string[];
}

/** A complete answer. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly RecordedHeader[];
  /** More header fields came than are kept; the others were not judged. */
  readonly headersCut?: true;
  /** `null` where the answer has no body at all. */
  readonly body: RecordedBody | null;
  readonly leaks: readonly RecordedLeak[];
  readonly learned?: Learned;
}

/** Why there is no complete response, in a phrase that quotes nothing of the target. */
export interface RecordedFailure {
  readonly kind: FailureKind;
  readonly detail: string;
  /** Set where a status line came before the answer broke off. */
  readonly status?: number;
}

/** What the ids of a request's path are: none, of a resource that the suite may use, well-formed only, or malformed. */
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
  /** A create call with several optional elements, and one with one or two of them. */
  | 'together'
  | 'alone'
  | 'before'
  | 'change'
  | 'after'
  /** What other requests are compared with: a made-up id, another spelling with the valid credential, the documented path. */
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

/** The walk of an exploration: the seed of the run, its number and, where only some are sent, the places of its commands. */
export interface RandomOrigin {
  readonly seed: number;
  /** `3`, or `3:0:4`. */
  readonly path: string;
  readonly commands: number;
  /** What a random body was drawn with. */
  readonly body?: number;
}

/** The description of a valid request without anything unusual. */
export const PLAIN_REQUEST = 'a valid request';

/** Why and where in the plan a request was sent. */
export interface ExchangeTag {
  /** The documented operation whose method and path (either slash form) were used, or `null`. */
  readonly operation: string | null;
  /** The operation that has this route, where it is sent as a spelling of another: `/v1/trunks/;a.js` is an item of trunks. */
  readonly routedTo?: string;
  /** `true` where method and path are the documented ones to the letter. */
  readonly documented: boolean;
  readonly ids: PathIds;
  /** Name of the sequence of the plan: one or more requests that belong together. */
  readonly sequence: string;
  /** How often the sequence was sent before, to ask again after a lock-out. */
  readonly attempt: number;
  readonly role: Role;
  /** 0, or how often the same request was sent before: put off, locked out, or with a symptom. */
  readonly resend: number;
  /** The number of the exchange that it replaces: the same request, or its place in a batch that is repeated. */
  readonly replaces?: number;
  /** What the answer bears on; invariants are judged on every exchange and need not be named. */
  readonly asks: readonly Ask[];
  /** `true` for a valid request with the valid credential: a control, if it is accepted (model, section 2). */
  readonly control: boolean;
  /** For people: a description of the request ("`to` is missing"). */
  readonly about: string;
  /** The form of its header fields, where it has another one than most: `without Accept`. */
  readonly form?: string;
  /** `seq` of a request with several boundary values, which failed, and of which this one tries a part. */
  readonly partOf?: number;
  /**
   * The body, as redacted JSON text, of the valid request from which this one differs in a single element: what it says
   * about that element counts only if the valid one was accepted.
   */
  readonly sibling?: string;
  readonly origin?: RandomOrigin;
  /** Set where it went out on a connection of its own: a service may keep the fields of a request for the next one on it. */
  readonly fresh?: true;
}

/** One request of the run and what came of it: an answer or a failure, never both. */
export interface Exchange {
  /** Position in the run, from 1. */
  readonly seq: number;
  readonly tag: ExchangeTag;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse | null;
  readonly failure: RecordedFailure | null;
  /** Milliseconds since the run began. */
  readonly at: number;
  /** Milliseconds until the answer was complete or given up. */
  readonly took: number;
}

/** What was sent and in which form, for people: `the body is a string, without Accept`. */
export const describedIn = ({ about, form, origin }: Pick<ExchangeTag, 'about' | 'form' | 'origin'>): string =>
  [about, form, origin?.body === undefined ? undefined : `random body ${origin.body}`]
    .filter((part) => part !== undefined)
    .join(', ');

/** When an exchange was over, in milliseconds since the run began. */
export const endOf = ({ at, took }: Pick<Exchange, 'at' | 'took'>): number => at + took;

/** Failures before anything of the request was sent. */
export const UNSENT: ReadonlySet<string> = new Set<FailureKind>(['refused', 'unresolved', 'tls']);

const OF_A_GATEWAY: readonly number[] = [502, 504];

/** Whether the service itself did not answer: no response at all, or a gateway's 502 or 504. */
export function isUnanswered({ response, failure }: Pick<Exchange, 'response' | 'failure'>): boolean {
  return failure !== null || OF_A_GATEWAY.includes(response?.status ?? 0);
}

/** Statuses by which an HTTP parser says that the path or the header is too long for it. */
const TOO_LONG: readonly number[] = [414, 431];
/** Statuses with which an HTTP parser rejects a body in chunks (RFC 9112, section 6.1; RFC 9110, section 15.5.12). */
const OF_CHUNKS: readonly number[] = [400, 411, 501];

/** Neither a list of media types nor of weights, in each way that a reader may trip over. */
export const MALFORMED_ACCEPT = 'text, a/b/c, */json;q=x, application/json;q, ;"';
/** Statuses with which what reads Accept (RFC 9110, section 12.5.1) and the request target rejects them. */
const OF_FIELDS: readonly number[] = [400, 406];
const STRAY_PERCENT = /\?.*%(?![0-9a-f]{2})/i;

/** Whether the rejection may come from the HTTP parser, which knows nothing of the interface. */
export function isOfTheParser({ request, response }: Exchange): boolean {
  const status = response?.status ?? 0;
  if (TOO_LONG.includes(status) || (request.credential === 'non-ascii' && status === 400)) return true;
  const isMalformed = headerValue(request.headers, 'accept') === MALFORMED_ACCEPT || STRAY_PERCENT.test(request.path);
  if (isMalformed && OF_FIELDS.includes(status)) return true;
  return OF_CHUNKS.includes(status) && headerValue(request.headers, 'transfer-encoding') !== undefined;
}

/**
 * A plain exchange: documented method and path, and a well-formed or known id for each placeholder. An HTTP parser may
 * answer by itself: 400 to a field that is not ASCII, as to any other malformed request, 414 or 431, and to a body in
 * chunks.
 */
export function isPlain(exchange: Exchange): boolean {
  const { tag } = exchange;
  return tag.documented && tag.ids !== 'malformed' && !isOfTheParser(exchange);
}

const PAGE = 'error that is not JSON';

/** A page: an error without a body, or with one that is not JSON. */
export function isPage({ response }: Pick<Exchange, 'response'>): boolean {
  if (response === null || response.status < 400) return false;
  return response.body === null || (response.body.json === 'invalid' && response.body.cut !== true);
}

/**
 * A symptom is what a network or a gateway may have caused, and not the service (conformance model, section 5): a key that equal symptoms of an operation share, or `null`: no complete response, a 5xx other than 503, a page.
 * Such a request is sent again before its answer is believed.
 */
export function symptomOf(exchange: Exchange): string | null {
  const { failure, response, tag } = exchange;
  const status = response?.status ?? 0;
  if (failure === null && status < 400) return null;
  const operation = tag.operation ?? 'undocumented';
  if (failure !== null) return `${operation}: ${failure.kind}`;
  // Whatever the id, a 5xx may be that of a gateway.
  const isJudged = status >= 500 ? tag.documented && !isOfTheParser(exchange) : isPlain(exchange);
  if (!isJudged && status !== 502 && status !== 504) return null;
  if (status >= 500 && status !== 503) return `${operation}: ${status}`;
  return isPage(exchange) ? `${operation}: ${PAGE}` : null;
}
