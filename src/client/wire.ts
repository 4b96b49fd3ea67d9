/**
 * The wire below the loop that sends: builds the bytes of a request and the tag of its record, and sends to the target
 * what was announced, at the pace of the run.
 */

import { hash } from 'node:crypto';
import { picked } from '../contract/lists.ts';
import { operationById, SAFE_METHODS } from '../contract/operations.ts';
import { SETTING_OF } from '../contract/settings.ts';
import { DRAWN_UUID, UUID, uuidOf } from '../contract/uuid.ts';
import { isSuccess } from '../contract/waiting.ts';
import { settingOf } from '../exchange/credential-forms.ts';
import type { Exchange, ExchangeTag, Learned, PathIds } from '../exchange/exchange.ts';
import { COOKIES } from '../exchange/header-fields.ts';
import { textOf } from '../exchange/json-text.ts';
import { FORMS, type Header, headerValue, type RequestForm, type WireRequest } from '../exchange/message.ts';
import { type LiveExchange, type RecorderContext, recordExchange } from '../exchange/recorder.ts';
import type { ClientOptions } from './client-options.ts';
import type { Carried } from './credential.ts';
import { cookiesOf, learn, otherNameOf, withOtherName, withoutOtherName } from './learned.ts';
import { Pace } from './rate.ts';
import {
  foundOperation,
  isCreate,
  isInvalid,
  noOccasion,
  type Place,
  type PlacedRequest,
  Skipped,
  type SuiteRequest,
  unset,
} from './request.ts';
import type { Admission } from './safety/guard.ts';
import type { IdRegister } from './safety/id-register.ts';

/** What a request is built from. */
export type WireOptions = Pick<
  ClientOptions,
  'prefix' | 'userAgent' | 'seed' | 'caseHeader' | 'credentials' | 'extraHeaders'
>;

/** A request that may leave, with the tag of its record. */
export interface Admitted extends PlacedRequest {
  readonly wire: WireRequest;
  readonly tag: ExchangeTag;
}

/** What lies below the loop: the target over sockets, in this process, or its record. */
export interface Wire {
  /** Number of the request that was sent last. */
  readonly sent: number;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** The path as the guards read it, where that is not the path itself. */
  guarded?(below: string): string;
  /** Sends requests side by side or, if `isMoment`, simultaneously; records their answers in request order. */
  exchange(requests: readonly Admitted[], isMoment: boolean): Promise<readonly PromiseSettledResult<Exchange>[]>;
}

/** The `nth` request to leave, and its path below the base URL; throws `Skipped` if its credential cannot be made. */
export function outgoing(placed: PlacedRequest, options: WireOptions, nth: number) {
  const { method, path, body, credential } = placed.request;
  const carried = options.credentials[credential];
  if (carried === null) {
    const setting = settingOf(credential);
    const reason = `the credential cannot be made in the form "${credential}"`;
    throw setting === undefined ? noOccasion(reason) : unset(reason, setting);
  }
  const below = carried.query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${carried.query}`;
  const headers = sentHeaders(placed, carried, options, nth);
  return { below, wire: { method, path: options.prefix + below, headers, body } };
}

/** The order in which requests leave; a repeated request keeps its number, and with it its drawn values. */
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

/** The UUID of the `nth` request of a run in the header fields that the user adds. */
export const drawnUuid = (nth: number, seed: number): string => uuidOf(hexDigest(seed, 'field of a request', nth));

/** The field, if it has a value. */
const fieldIf = (name: string, value: string | null | undefined): readonly Header[] =>
  typeof value === 'string' ? [[name, value]] : [];

function sentHeaders({ request, place }: PlacedRequest, carried: Carried, options: WireOptions, nth: number) {
  const { extraHeaders: ofRequests = [], seed, caseHeader, userAgent } = options;
  const form = formFor(request, place);
  const isAccepting = form !== 'no-accept' && headerValue(request.headers ?? [], 'accept') === undefined;
  const headers: readonly Header[] = [
    ...fieldIf('User-Agent', headerValue(ofRequests, 'user-agent') === undefined ? userAgent : null),
    ...fieldIf('Accept', isAccepting ? 'application/json' : null),
    ...fieldIf('Accept-Encoding', form === 'gzip' ? 'gzip' : null),
    ...ofRequests.map(([name, value]) => [name, value.replaceAll(DRAWN_UUID, () => drawnUuid(nth, seed))] as const),
    ...(request.headers ?? []),
    ...(caseHeader ? nameFields(request, place, seed) : []),
    ...fieldIf('Authorization', carried.header),
    ...fieldIf('Content-Type', request.contentType),
  ];
  return form === 'lower-case' ? headers.map(([name, value]): Header => [name.toLowerCase(), value]) : headers;
}

/** Only what has to be rejected gets another form: its control shows that the rest of the request is understood. */
const formFor = ({ role, form: asked }: SuiteRequest, { form }: Place): RequestForm | undefined =>
  asked ?? (role === 'probe' || role === 'beside' ? form : undefined);

const hexDigest = (...parts: readonly (string | number)[]): string => hash('sha256', parts.join('\n'));

/**
 * The header fields that name a request for people who look for it: its sequence, and a trace of its own (W3C Trace
 * Context), which the service may continue. They are opaque: an intermediary must not be able to read the expected
 * result from them. They depend only on the seed and the place in the plan, so that a rerun sends the same.
 */
function nameFields({ method, path, credential, about }: SuiteRequest, place: Place, seed: number): readonly Header[] {
  const { sequence, attempt } = place;
  const trace = hexDigest(seed, sequence, attempt, method, path, credential, about);
  return [
    ['X-Conformance-Case', hexDigest(seed, sequence).slice(0, 16)],
    ['traceparent', `00-${trace.slice(0, 32)}-${trace.slice(32, 48)}-01`],
  ];
}

/** The tag of a request: its place in the plan, and what its method and path mean to the interface. */
export function tagOf(request: SuiteRequest, place: Place, register: IdRegister): ExchangeTag {
  const found = foundOperation(request.method, request.path);
  const form = formFor(request, place);
  const operation = request.operation ?? found?.operation ?? null;
  return {
    operation,
    ...(found === null || found.operation === operation ? {} : { routedTo: found.operation }),
    documented: found?.documented ?? false,
    ids: pathIds(found, register),
    sequence: place.sequence,
    attempt: place.attempt,
    role: request.role,
    resend: place.resend ?? 0,
    ...picked(place, ['replaces']),
    asks: request.asks,
    control: request.control,
    about: request.about,
    ...(form === undefined ? {} : { form: FORMS[form] }),
    ...picked(request, ['partOf', 'origin', 'fresh']),
  };
}

/** An escape of a character that needs none (RFC 3986, 2.3). */
const ENCODED_LETTER = /%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])/i;

function pathIds(found: ReturnType<typeof foundOperation>, register: IdRegister): PathIds {
  if (found === null || found.ids.length === 0) return 'none';
  // A router that compares raw segments answers an encoded letter with its page for unknown routes.
  if (found.ids.some((id) => ENCODED_LETTER.test(id))) return 'malformed';
  const { resources } = operationById(found.operation);
  const named = resources.map((kind, at) => register.names(kind, found.ids[at] ?? ''));
  if (named.every(Boolean)) return 'named';
  return found.ids.every((id, at) => named[at] === true || UUID.test(id)) ? 'well-formed' : 'malformed';
}

/** What a live wire works with. */
export interface LiveWireOptions extends ClientOptions {
  readonly admission: Admission;
  /** Called if the suite itself breaks while it records the answer to that request; without it, the error is thrown. */
  readonly broke?: (request: PlacedRequest, error: unknown) => void;
}

/** A target that is reached through a transport. */
export class LiveWire implements Wire {
  readonly #options: LiveWireOptions;
  readonly #pace: Pace;
  /** Ids to look for in answers, each with its label: those of the settings, and of the trunk that our list shows. */
  readonly #watch: Map<string, string>;
  readonly #recorder: RecorderContext;
  /** The name of another trunk: only what leaves holds it. */
  #otherName: string | undefined;
  #cookies = '';
  readonly startedAt: number;
  sent = 0;

  constructor(options: LiveWireOptions) {
    this.#options = options;
    this.#watch = new Map(options.recorder.watch);
    this.#recorder = { ...options.recorder, watch: this.#watch, known: new Map() };
    this.startedAt = options.clock.now();
    this.#pace = new Pace(options);
  }

  async exchange(requests: readonly Admitted[], isMoment: boolean): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const room = requests.length;
    const how = isMoment ? { room, moment: { count: room } } : { room };
    let last: Promise<unknown> = Promise.resolve();
    const batch: Promise<Exchange>[] = [];
    for (const leaving of isMoment ? [requests] : requests.map((admitted) => [admitted])) {
      const invalid = leaving.filter(({ request }) => isInvalid(request.credential));
      const wait = this.#pace.turn(leaving.length, invalid.length);
      // Without a wait, they leave before anything else happens.
      if (wait > 0) await this.#options.clock.sleep(wait);
      for (const admitted of leaving) {
        const first = this.#leave(admitted, { ...admitted.wire, ...how }, last);
        last = first.catch(() => undefined);
        batch.push(first);
      }
    }
    return Promise.allSettled(batch);
  }

  async #leave(admitted: Admitted, wire: WireRequest, last: Promise<unknown>): Promise<Exchange> {
    const { transport, clock, admission } = this.#options;
    const { request, place, tag } = admitted;
    const { stopped } = admission;
    if (stopped !== null && place.cleanUp !== true) throw new Skipped(stopped, { why: 'stopped' });
    const seq = this.sent + 1;
    // Announced only once nothing else can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    else if (!SAFE_METHODS.has(request.method)) this.#announce(admitted, seq);
    this.sent = seq;
    const sentAt = clock.now();
    const body = withOtherName(wire.body, this.#otherName);
    const headers = wire.headers.map(([name, value]) => [name, value === COOKIES ? this.#cookies : value] as const);
    const outcome = await transport({ ...wire, headers, body });
    this.#cookies = cookiesOf(request, outcome) ?? this.#cookies;
    const { path, credential } = request;
    const [at, took] = [sentAt - this.startedAt, clock.now() - sentAt];
    await last;
    const live = { seq, tag, request: wire, path, credential, outcome, at, took };
    const exchange = this.#record(admitted, live);
    const shown = body === wire.body ? exchange : withoutOtherName(exchange, this.#otherName);
    this.#options.onExchange(shown);
    this.#pace.learn(shown, wire.room === 1);
    return shown;
  }

  #announce({ request, place, tag: { operation, ids } }: Admitted, seq: number): void {
    const { beforeWrite, recorder } = this.#options;
    const { redactor } = recorder;
    const { method, path, body } = request;
    const written = body === null ? {} : { body: redactor.redactSent(new TextDecoder().decode(body)) };
    const known = { seq, operation, ids, method, path: redactor.redactSent(path) };
    const write = { ...known, ...written, ...picked(place, ['before']) };
    beforeWrite?.(write, place.cleanUp === true || operation === 'hangUpCall');
  }

  #record(admitted: Admitted, live: LiveExchange): Exchange {
    const { register, broke } = this.#options;
    const { request } = admitted;
    const { outcome } = live;
    const known = (id: string) => register.knownBefore(id, live.request);
    let learned: Learned | null = null;
    try {
      this.#otherName ??= otherNameOf(request, outcome, this.#options);
      learned = learn(request, outcome, { ...this.#options, known, otherName: this.#otherName });
      const recorded = recordExchange(live, this.#recorder);
      const { response } = recorded;
      if (learned?.trunk !== undefined) this.#watch.set(learned.trunk, SETTING_OF.trunk);
      // From then on, ids that a list shows are only read.
      if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(request)) {
        register.sawInAnswer(textOf(outcome.body));
      }
      return { ...recorded, response: response && { ...response, ...(learned && { learned }) } };
    } catch (error) {
      if (broke === undefined) throw error;
      broke(admitted, error);
      // It counts as unanswered: what it changed is restored or reported, and the run ends.
      const detail = 'the suite broke while it recorded the response';
      const none = { kind: 'failure', failure: 'malformed', detail } as const;
      const recorded = recordExchange({ ...live, outcome: none }, this.#recorder);
      if (outcome.kind !== 'answer' || learned?.callIds === undefined) return recorded;
      // A call in the answer must be hung up all the same.
      const response = { status: outcome.status, headers: [], body: null, leaks: [], learned };
      return { ...recorded, failure: null, response };
    }
  }
}
