/** A live target: applies the guards, the caps and the retries, and records every exchange. */

import { isSuccess } from '../contract/statuses.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { WireAnswer, WireOutcome, WireRequest } from '../exchange/message.ts';
import { type LiveExchange, recordExchange } from '../exchange/recorder.ts';
import { textOf } from '../exchange/texts.ts';
import { callIdsIn } from './call-id.ts';
import type { Target } from './client.ts';
import type { AnnouncedWrite, ClientOptions } from './client-options.ts';
import { Hangs } from './hangs.ts';
import { InvalidCredentials, isInvalid } from './invalid-credentials.ts';
import { learn } from './learned.ts';
import { Pace } from './pace.ts';
import { type Place, type PlacedRequest, Skipped, type SuiteRequest, Unrecorded } from './request.ts';
import { hangUpSegment, percentDecoded, SAFE_METHODS } from './request-path.ts';
import { type CreateOutcome, createOutcome, type KnownIds } from './safety/create-outcome.ts';
import { Admission, guard } from './safety/guard.ts';
import { isPostponed, LIMITED, type Patience, UNAVAILABLE, Unavailable, Waiting } from './waiting.ts';
import { isCreate, outgoing, tagOf } from './wire.ts';

/** An exchange, and when its answer came. */
interface Sent {
  readonly exchange: Exchange;
  readonly until: number;
}

/** The gate through which every request leaves. */
export class LiveTarget implements Target {
  readonly #options: ClientOptions;
  readonly #startedAt: number;
  readonly #invalid: InvalidCredentials;
  readonly #hangs: Hangs;
  readonly #waiting: Waiting;
  readonly #pace: Pace;
  readonly admission = new Admission();
  #seq = 0;
  /** Exchanges that a read has to explain. */
  readonly #doubtful = new Set<number>();
  /** Sequences that have sent at least one request. */
  readonly #begun = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#hangs = new Hangs(options.timeouts);
    this.#invalid = new InvalidCredentials(options);
    this.#pace = new Pace(options);
    this.#waiting = new Waiting(options, this.#invalid, () => this.admission.stopped !== null);
  }

  async send(request: SuiteRequest, place: Place): Promise<Exchange> {
    return this.#sendPatiently(request, place, await this.#sendOnce(request, { ...place, resend: place.resend ?? 0 }));
  }

  /**
   * Sends requests without waiting for the answers between them, and records the answers in the order of the requests.
   * What was put off is sent again afterwards, one after the other. Only a `moment` leaves faster than the pace of the run.
   */
  async together(
    requests: readonly PlacedRequest[],
    isMoment: boolean,
  ): Promise<readonly PromiseSettledResult<Exchange>[]> {
    const room = requests.length;
    if (isMoment) await this.#pause(this.#pace.turn(room));
    let last: Promise<unknown> = Promise.resolve();
    const batch: Promise<Sent>[] = [];
    for (const { request, place } of requests) {
      const paced = isMoment ? 0 : this.#pace.turn(1);
      let first: Promise<Sent>;
      try {
        const wait = Math.max(paced, this.#invalid.turn(request.credential));
        // Without a wait, they leave before anything else happens.
        if (wait > 0) await this.#pause(wait);
        first = this.#leave(request, { ...place, resend: 0 }, { room }, last);
      } catch (error) {
        first = Promise.reject(error);
      }
      last = first.catch(() => undefined);
      batch.push(first);
    }
    const results: PromiseSettledResult<Exchange>[] = [];
    for (const [at, first] of (await Promise.allSettled(batch)).entries()) {
      const { request, place } = requests[at] as PlacedRequest;
      if (first.status === 'rejected') results.push(first);
      else results.push(...(await Promise.allSettled([this.#sendPatiently(request, place, first.value, true)])));
    }
    return results;
  }

  isDoubtful({ seq }: Exchange): boolean {
    return this.#doubtful.has(seq);
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#options.clock.sleep(milliseconds);
  }

  /** Sends a request again as long as its answer puts it off; `isOfBatch`: it went out beside others the first time. */
  async #sendPatiently(request: SuiteRequest, place: Place, first: Sent, isOfBatch = false): Promise<Exchange> {
    const { clock, onWait } = this.#options;
    const cleanUp = place.cleanUp === true;
    const patience: Patience = { isLockedOut: false, waits: 0 };
    const unavailable = new Unavailable();
    /** How often the target put the request off for a reason other than the caller. */
    let putOffs = 0;
    for (let { exchange, until } = first; ; ) {
      const { response, tag } = exchange;
      const { resend } = tag;
      const isLockedOut = this.#invalid.noteAnswer(request, response?.status ?? null);
      const isPutOff = isLockedOut || isPostponed(exchange);
      if (!isPutOff && (response !== null || patience.isLockedOut)) {
        this.#waiting.noteAnswer(patience.isLockedOut || isSuccess(response?.status ?? null));
      }
      if (response !== null && response.status !== LIMITED) this.#pace.noteAnswer();
      // Sent again after any other answer, a create call might place a second call.
      const mayBeSentAgain = !isCreate(request) || response?.learned?.create === 'rejected';
      if (response !== null && response.status !== UNAVAILABLE) this.#waiting.noteAvailable(request);
      if (response === null || !isPutOff || !mayBeSentAgain) return exchange;
      if (isLockedOut && place.isChecked === 'again') {
        this.#invalid.disprove(request, response.status);
        return exchange;
      }
      const isUnavailable = unavailable.note(response) && place.isChecked === 'first' && !isCreate(request);
      if (isUnavailable) this.#waiting.noteUnavailable(request);
      if (isUnavailable || (isLockedOut && place.isChecked === 'first')) {
        this.#doubtful.add(exchange.seq);
        return exchange;
      }
      // A lock-out and a 429 to another credential are about the caller, so they do not count towards the create calls that a
      // run may have put off.
      const isOfCaller = isLockedOut || (response.status === LIMITED && request.credential !== 'valid');
      if (isCreate(request) && !isOfCaller) putOffs += 1;
      if (putOffs > (place.resends ?? Infinity)) return exchange;
      patience.isLockedOut ||= isLockedOut;
      const since = clock.now() - until;
      const wait = this.#waiting.of({ request, response, resend, isLockedOut, cleanUp, patience, since });
      if (wait === null) return exchange;
      onWait?.(wait.milliseconds, response.status, wait.most);
      // What comes of too many invalid credentials, or of several requests at once, does not slow down the others.
      if (response.status === LIMITED) {
        this.#pace.noteLimit(resend === 0 && !isOfBatch && !isInvalid(request.credential));
      }
      await (cleanUp ? clock.rest(wait.milliseconds) : clock.sleep(wait.milliseconds));
      const again = { replaces: exchange.seq, resend: resend + 1 };
      ({ exchange, until } = await this.#sendOnce(request, { ...place, ...again }));
    }
  }

  async #sendOnce(request: SuiteRequest, place: Place & { readonly resend: number }): Promise<Sent> {
    await this.#pause(Math.max(this.#pace.turn(1), this.#invalid.turn(request.credential)));
    return this.#leave(request, place, { room: 1, ...(place.attempt > 0 ? { fresh: true } : {}) });
  }

  async #leave(
    request: SuiteRequest,
    place: Place,
    connection: Pick<WireRequest, 'fresh' | 'room'>,
    last?: Promise<unknown>,
  ): Promise<Sent> {
    const { transport, clock, register } = this.#options;
    this.admission.demand(request);
    if (place.cleanUp !== true) this.#demandLeave(place);
    const going = outgoing(request, place, this.#options);
    const timeout = this.#hangs.timeoutFor(request, place);
    const wire = { ...going.wire, ...connection, timeout };
    if (place.cleanUp !== true) this.#demandTime(request, timeout);
    guard(request, going, this.#options);
    const seq = this.#seq + 1;
    const tag = tagOf(request, place, register);
    // Announced once nothing else can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    else if (!SAFE_METHODS.has(request.method)) this.#announce({ seq, ...tag }, request, place);
    this.#seq = seq;
    this.#begun.add(place.sequence);
    const sentAt = clock.now();
    let outcome: WireOutcome | null = null;
    try {
      outcome = await transport(wire);
      const until = clock.now();
      const { path, credential } = request;
      const [at, took] = [sentAt - this.#startedAt, until - sentAt];
      await last;
      const exchange = this.#record(request, { seq, tag, request: wire, path, credential, outcome, at, took });
      this.#hangs.note(request, exchange, timeout);
      return { exchange, until };
    } catch (error) {
      throw new Unrecorded(error, seq, this.#createOutcome(request, wire, outcome));
    }
  }

  #announce(
    { seq, operation, ids }: Pick<AnnouncedWrite, 'seq' | 'operation' | 'ids'>,
    request: SuiteRequest,
    place: Place,
  ) {
    const { beforeWrite, recorder } = this.#options;
    if (beforeWrite === undefined) return;
    const redact = (text: string): string => recorder.redactor.redactSent(text);
    const { method, path, body } = request;
    const written = body === null ? {} : { body: redact(new TextDecoder().decode(body)) };
    const before = place.before === undefined ? {} : { before: place.before };
    const write = { seq, operation, ids, method, path: redact(path), ...written, ...before };
    beforeWrite(write, place.cleanUp === true || operation === 'hangUpCall');
  }

  #record(request: SuiteRequest, live: LiveExchange): Exchange {
    const { recorder, onExchange, register } = this.#options;
    const { outcome } = live;
    const recorded = recordExchange(live, recorder);
    const { response } = recorded;
    const known = register.knownBefore(live.request);
    const learned = learn(request, outcome, { ...this.#options, ...recorder, known });
    const exchange = { ...recorded, response: response && { ...response, ...(learned && { learned }) } };
    onExchange(exchange);
    register.noteLearned(exchange.response?.learned);
    if (outcome.kind === 'answer') this.#noteIds(request, outcome, known);
    return exchange;
  }

  #noteIds(request: SuiteRequest, { status, headers, body }: WireAnswer, known: KnownIds): void {
    const { register, callIdPointer } = this.#options;
    const text = textOf(body);
    if (isCreate(request)) register.notePlaces(callIdsIn(text, headers, callIdPointer));
    else if (status >= 400) register.sawInRejection(callIdsIn(text, []), known);
    // From then on what a list shows is only read.
    else if (isSuccess(status)) register.sawInAnswer(text);
    if (isSuccess(status)) register.noteHungUp(percentDecoded(hangUpSegment(request.path)));
  }

  /** What came of a create call whose answer could not be recorded: its call must be hung up all the same. */
  #createOutcome(request: SuiteRequest, wire: WireRequest, outcome: WireOutcome | null): CreateOutcome {
    const { register, callIdPointer } = this.#options;
    const unclear = { kind: 'unclear', status: null, detail: 'no recorded answer', ids: [] } as const;
    if (outcome === null || !isCreate(request)) return unclear;
    try {
      const create = createOutcome(outcome, request.path, register.knownBefore(wire), callIdPointer);
      if ('ids' in create) for (const id of create.ids) register.addCall(id);
      return create;
    } catch {
      return unclear;
    }
  }

  /** Throws where no time is left for a request with this timeout, or the run was stopped. */
  #demandTime(request?: SuiteRequest, timeout?: number): void {
    const end = this.#hangs.endBefore(request, timeout);
    if (end !== null) this.admission.stop(end);
    const { stopped } = this.admission;
    if (stopped !== null) throw new Skipped(stopped, { why: 'stopped' });
  }

  #demandLeave({ sequence, operation }: Place): void {
    const { maxRequests } = this.#options;
    this.#demandTime();
    if (this.#seq >= maxRequests) {
      throw new Skipped(`${maxRequests} requests were sent`, { why: 'limit', remedy: 'raise --max-requests' });
    }
    if (operation === undefined || this.#begun.has(sequence) || !this.#hangs.hangs(operation)) return;
    throw new Skipped('the operation left its last requests without a response', {
      why: 'hang',
      remedy: 'raise --timeout',
    });
  }
}
