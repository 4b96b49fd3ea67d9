/** The wire below the loop that sends: a request as the bytes that leave, and the tag under which they are recorded. */

import { hash } from 'node:crypto';
import { operationById } from '../contract/operations.ts';
import { DRAWN_UUID, UUID, uuidOf } from '../contract/uuid.ts';
import { settingOf } from '../exchange/credential-forms.ts';
import type { CredentialForm, Exchange, ExchangeTag, PathIds } from '../exchange/exchange.ts';
import { FORMS, type Header, type RequestForm, type WireRequest } from '../exchange/message.ts';
import type { ClientOptions } from './client-options.ts';
import type { Carried } from './credential.ts';
import { noOccasion, type Place, type PlacedRequest, type Refusal, type SuiteRequest, unset } from './request.ts';
import { type FoundOperation, operationOf } from './request-path.ts';
import type { IdRegister } from './safety/id-register.ts';

const CREATE_PATHS: ReadonlySet<string> = new Set(['/v1/calls', '/v1/calls/']);

/** Whether a request could place a call: a create call on either slash form, under any credential. */
export function isCreate(request: SuiteRequest): boolean {
  return request.method === 'POST' && CREATE_PATHS.has(request.path);
}

/** Whether a target may count the form as an invalid credential. */
export const isInvalid = (form: CredentialForm): boolean => form !== 'valid' && form !== 'other-organization';

/** What a request is built from. */
export type WireOptions = Pick<
  ClientOptions,
  'prefix' | 'userAgent' | 'caseSeed' | 'drawingSeed' | 'credentials' | 'extraHeaders'
>;

/** A request as it leaves, and its path below the base URL as the guards judge it. */
export interface Outgoing {
  readonly wire: Omit<WireRequest, 'timeout'>;
  readonly below: string;
}

/** A request that may leave, with the tag of its record and the milliseconds in which it has to be answered. */
export interface Admitted extends PlacedRequest {
  readonly wire: Outgoing['wire'];
  readonly tag: ExchangeTag;
  readonly timeout: number;
}

/** How a request leaves: beside how many others, at their very moment, on a connection of its own. */
export interface Leaving {
  readonly room: number;
  readonly isMoment?: boolean;
  readonly fresh?: boolean;
}

/** What lies below the loop: the target over sockets, in this process, or its record. */
export interface Wire {
  /** Number of the request that was sent last. */
  readonly sent: number;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The path as the guards read it, where that is not the path itself. */
  guarded?(below: string): string;
  /** Sends requests one beside the other, and records their answers in the order of the requests. */
  exchange(requests: readonly Admitted[], how: Leaving): Promise<readonly PromiseSettledResult<Exchange>[]>;
}

/** Builds the request that is the `nth` to leave; throws `Skipped` where its form of credential cannot be made. */
export function outgoing(request: SuiteRequest, place: Place, options: WireOptions, nth: number): Outgoing {
  const carried = options.credentials[request.credential];
  if (carried === null) {
    const setting = settingOf(request.credential);
    const reason = `the credential cannot be made in the form "${request.credential}"`;
    throw setting === undefined ? noOccasion(reason) : unset(reason, setting);
  }
  const joint = request.path.includes('?') ? '&' : '?';
  const below = carried.query === undefined ? request.path : `${request.path}${joint}${carried.query}`;
  return {
    below,
    wire: {
      method: request.method,
      path: options.prefix + below,
      headers: headersOf(request, place, carried, { ...options, extraHeaders: addedTo(nth, options) }),
      body: request.body,
    },
  };
}

/** The order in which requests are to leave; one that is sent again keeps its place, and with it what was drawn for it. */
export class Order {
  readonly #known = new WeakMap<SuiteRequest, number>();
  #count = 0;

  /** The number of the request, from 1. */
  of({ request, place }: PlacedRequest): number {
    const known = place.replaces === undefined ? undefined : this.#known.get(request);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#known.set(request, this.#count);
    return this.#count;
  }
}

/** The UUID that the `nth` request of a run holds in the fields that the user adds. */
export const drawnUuid = (nth: number, seed = 0): string => uuidOf(hexOf(seed, 'field of a request', nth));

/**
 * Why no call is placed with these fields, `null` where calls may be: a service takes the second create call with one key for the
 * first, or rejects it (draft-ietf-httpapi-idempotency-key-header). A run was told to add such a field, and accused six cases.
 */
export function refusalOf(added: readonly Header[]): Refusal | null {
  const [name] = added.find(([field, value]) => /idempoten/i.test(field) && !value.includes(DRAWN_UUID)) ?? [];
  if (name === undefined) return null;
  return {
    reason: `${name} is the same in each request, so that no create call is a new one`,
    remedy: `give --header '${name}: ${DRAWN_UUID}', which is drawn anew for each request`,
  };
}

/** The fields that the user adds, as the `nth` request has them. */
const addedTo = (nth: number, { extraHeaders = [], drawingSeed }: WireOptions): readonly Header[] =>
  extraHeaders.map(([name, value]) => [
    name,
    value.includes(DRAWN_UUID) ? value.replaceAll(DRAWN_UUID, drawnUuid(nth, drawingSeed)) : value,
  ]);

const isAccept = ([name]: Header): boolean => name === 'Accept';
const isAgent = ([name]: Header): boolean => name.toLowerCase() === 'user-agent';

function headersOf(request: SuiteRequest, place: Place, carried: Carried, options: WireOptions): readonly Header[] {
  const named = options.caseSeed === null ? [] : nameFields(request, place, options.caseSeed);
  const form = formOf(request, place);
  const headers: readonly Header[] = [
    ...(options.extraHeaders?.some(isAgent) === true ? [] : [['User-Agent', options.userAgent] as const]),
    ...(form === 'no-accept' || request.headers?.some(isAccept) === true
      ? []
      : [['Accept', 'application/json'] as const]),
    ...(form === 'gzip' ? [['Accept-Encoding', 'gzip'] as const] : []),
    ...(options.extraHeaders ?? []),
    ...(request.headers ?? []),
    ...named,
    ...(carried.header === undefined ? [] : [['Authorization', carried.header] as const]),
    ...(request.contentType === null ? [] : [['Content-Type', request.contentType] as const]),
  ];
  return form === 'lower-case' ? headers.map(([name, value]) => [name.toLowerCase(), value]) : headers;
}

/**
 * Of a sequence, only what the target has to reject has another form: its control shows that the rest of the request is
 * understood.
 */
const formOf = ({ role, control, form: asked }: SuiteRequest, { form }: Place): RequestForm | undefined =>
  asked ?? ((role === 'probe' || role === 'beside') && !control ? form : undefined);

const hexOf = (...parts: readonly (string | number)[]): string => hash('sha256', parts.join('\n'));

/**
 * The fields that name a request to those who look for it: its sequence, and a trace of its own (W3C Trace Context), which
 * the service may continue. Opaque: an intermediary must not be able to read the expected result from them. They depend on
 * the seed and on the place in the plan alone, so that a rerun sends the same.
 */
function nameFields({ method, path, credential, about }: SuiteRequest, place: Place, seed: number): readonly Header[] {
  const { sequence, attempt } = place;
  const trace = hexOf(seed, sequence, attempt, method, path, credential, about);
  return [
    ['X-Conformance-Case', hexOf(seed, sequence).slice(0, 16)],
    ['traceparent', `00-${trace.slice(0, 32)}-${trace.slice(32, 48)}-01`],
  ];
}

/** The tag of a request: its place in the plan, and what its method and path are to the interface. */
export function tagOf(request: SuiteRequest, place: Place, register: IdRegister): ExchangeTag {
  const found = operationOf(request.method, request.path);
  const form = formOf(request, place);
  const operation = request.operation ?? found?.operation ?? null;
  return {
    operation,
    ...(found === null || found.operation === operation ? {} : { routedTo: found.operation }),
    documented: found?.documented ?? false,
    ids: idsOf(found, register),
    sequence: place.sequence,
    attempt: place.attempt,
    role: request.role,
    resend: place.resend ?? 0,
    ...(place.replaces === undefined ? {} : { replaces: place.replaces }),
    asks: request.asks,
    control: request.control,
    about: request.about,
    ...(form === undefined ? {} : { form: FORMS[form] }),
    ...(request.partOf === undefined ? {} : { partOf: request.partOf }),
    ...(request.sibling === undefined ? {} : { sibling: request.sibling }),
    ...(request.origin === undefined ? {} : { origin: request.origin }),
    ...(request.fresh === undefined ? {} : { fresh: request.fresh }),
  };
}

/** An escape of a character that needs none (RFC 3986, 2.3). */
const ENCODED_LETTER = /%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/i;

function idsOf(found: FoundOperation | null, register: IdRegister): PathIds {
  if (found === null || found.ids.length === 0) return 'none';
  // A router that compares segments as they are sent answers an encoded letter with its page for unknown routes.
  if (found.ids.some((id) => ENCODED_LETTER.test(id))) return 'malformed';
  const kinds = operationById(found.operation).resources;
  const named = found.ids.map((id, at) => {
    const kind = kinds[at];
    return kind !== undefined && register.names(kind, id);
  });
  if (named.every(Boolean)) return 'named';
  return found.ids.every((id, at) => named[at] === true || UUID.test(id)) ? 'well-formed' : 'malformed';
}
