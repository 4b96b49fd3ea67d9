/** A live target: applies the guards, the caps and the retries, and records every exchange. */

import type { OperationId } from '../contract/operations.ts';
import { isRetryable, isSuccess } from '../contract/statuses.ts';
import type { Exchange, Learned } from '../exchange/exchange.ts';
import type { WireAnswer, WireOutcome, WireRequest } from '../exchange/message.ts';
import { recordExchange } from '../exchange/recorder.ts';
import type { ClientOptions } from './client-options.ts';
import { InvalidCredentials } from './invalid-credentials.ts';
import { learn } from './learned.ts';
import { LONGEST_WAIT, MOST_RESENDS, waitFor } from './pacing.ts';
import { type Place, Skipped, type SuiteRequest, Unrecorded } from './request.ts';
import { Admission } from './safety/admission.ts';
import { type CreateOutcome, createOutcome } from './safety/create-outcome.ts';
import { guard } from './safety/guard.ts';
import type { Target } from './target.ts';
import { isCreate, outgoing, tagOf } from './wire.ts';

interface Received extends Pick<Exchange, 'seq' | 'tag'> {
  readonly sentAt: number;
  readonly wire: WireRequest;
  readonly outcome: WireOutcome;
}

interface Sent {
  readonly exchange: Exchange;
  readonly outcome: WireOutcome;
}

/** An answer after which the request may be sent again. */
interface Given {
  readonly outcome: WireOutcome;
  readonly resend: number;
  readonly isLockedOut: boolean;
}

/** While a request waits for the end of a lock-out, it holds all others. */
interface Patience {
  letOthersGo: (() => void) | null;
}

/** Too many requests: the caller is limited, not the operation. */
const LIMITED = 429;
/** Milliseconds that clean-up waits in total: twice the minute that a rate-limited caller may be told to wait. */
export const MOST_WAIT_TO_CLEAN_UP = 130_000;
/** Milliseconds waited without any success in between: in the run, and with the clean-up after it. */
const MOST_WAIT_IN_VAIN = 90_000;
const MOST_WAIT_IN_VAIN_TO_CLEAN_UP = 105_000;
/** After so many timeouts in a row a target counts as gone. */
const MOST_SILENT = 4;

/** The gate through which every request leaves. */
export class LiveTarget implements Target {
  readonly #options: ClientOptions;
  readonly #startedAt: number;
  readonly #invalid: InvalidCredentials;
  #seq = 0;
  #waited = 0;
  #waitingUntil = 0;
  #waitedToCleanUp = 0;
  #stopped: string | null = null;
  /** Timeouts since the last answer. */
  #silent = 0;
  /** Milliseconds waited since the last success: a target that only puts off is not waited for much longer than it asks. */
  #waitedInVain = 0;
  readonly #gaveUp = new Set<string>();
  /** All retries of some request were answered 429: no other request waits until one is accepted again. */
  #isLimited = false;
  readonly #admission = new Admission();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    const { maxInvalidCredentials = Infinity, credentialPause, clock } = options;
    this.#invalid = new InvalidCredentials(maxInvalidCredentials, credentialPause, clock);
  }

  admit(): void {
    this.#admission.open();
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  async send(request: SuiteRequest, place: Place): Promise<Exchange> {
    while (place.cleanUp !== true && this.#invalid.lockOut !== null) await this.#invalid.lockOut;
    const patience: Patience = { letOthersGo: null };
    try {
      return await this.#sendPatiently(request, place, patience);
    } finally {
      patience.letOthersGo?.();
    }
  }

  async #sendPatiently(request: SuiteRequest, place: Place, patience: Patience): Promise<Exchange> {
    const { clock, onWait } = this.#options;
    const cleanUp = place.cleanUp === true;
    for (let resend = 0; ; resend += 1) {
      const { exchange, outcome } = await this.#once(request, place, resend);
      const status = exchange.response?.status ?? 0;
      if (isSuccess(status)) {
        this.#isLimited = false;
        this.#waitedInVain = 0;
      }
      const isLockedOut = this.#invalid.noteAnswer(request, exchange.response?.status ?? null);
      // Sent again after any other answer, a create call might place a second call.
      if (isCreate(request) && exchange.response?.learned?.create !== 'rejected') return exchange;
      if (isLockedOut && patience.letOthersGo === null) {
        const { lockOut } = this.#invalid;
        if (lockOut === null) patience.letOthersGo = this.#invalid.holdOthers();
        else {
          await lockOut;
          continue;
        }
      }
      const given = { outcome, resend, isLockedOut };
      const wait = cleanUp ? this.#cleanUpWait(request, given) : this.#wait(request, given);
      if (wait === null) return exchange;
      if (!isLockedOut) this.#waitedInVain += this.#added(wait);
      if (cleanUp && !isLockedOut) this.#waitedToCleanUp += wait;
      this.#spend(wait, cleanUp && !isLockedOut);
      onWait?.(wait, status);
      await (cleanUp && clock.rest !== undefined ? clock.rest(wait) : clock.sleep(wait));
    }
  }

  /** Milliseconds to wait before the request is sent again, or `null` where it is not. */
  #wait({ method, operation, path, credential }: SuiteRequest, given: Given): number | null {
    const { outcome, resend, isLockedOut } = given;
    if (outcome.kind !== 'answer' || !(isLockedOut || isRetryable(outcome.status))) return null;
    if (isLockedOut) return this.#lockOutWait(outcome, resend);
    // An operation that is unavailable for good may still limit its callers for a while.
    const key = `${method} ${operation ?? path} ${credential} ${outcome.status}`;
    const wait = waitFor(outcome.headers, resend + 1, this.#options.clock.now());
    const isInVain = wait !== null && this.#waitedInVain + this.#added(wait) > MOST_WAIT_IN_VAIN;
    const tooLong = wait === null || isInVain || this.#waited + this.#added(wait) > this.#options.maxWait;
    const isHopeless = this.#isLimited && outcome.status === LIMITED;
    const hasEnded = this.#gaveUp.has(key) || isHopeless || this.#stopped !== null;
    if (resend < MOST_RESENDS && !tooLong && !hasEnded) return wait;
    this.#gaveUp.add(key);
    this.#isLimited ||= resend === MOST_RESENDS && outcome.status === LIMITED;
    return null;
  }

  /** A lock-out is waited for as long as the cap on waiting allows. */
  #lockOutWait({ headers }: WireAnswer, resend: number): number | null {
    const { clock, maxWait } = this.#options;
    const wait = Math.min(waitFor(headers, resend + 1, clock.now()) ?? LONGEST_WAIT, maxWait - this.#waited);
    if (wait > 0 && this.#stopped === null) return wait;
    this.#invalid.giveUp();
    return null;
  }

  /** What a wait adds to the total: lanes that wait at the same time count once. */
  #added(wait: number): number {
    const now = this.#options.clock.now();
    return Math.max(0, now + wait - Math.max(now, this.#waitingUntil));
  }

  #spend(wait: number, cleanUp: boolean): void {
    if (!cleanUp) this.#waited += this.#added(wait);
    this.#waitingUntil = Math.max(this.#waitingUntil, this.#options.clock.now() + wait);
  }

  /** Clean-up is exempt from the cap on waiting, but has a limit of its own; for an open call it waits longest. */
  #cleanUpWait({ operation }: SuiteRequest, { outcome, resend, isLockedOut }: Given): number | null {
    if (outcome.kind !== 'answer' || !(isLockedOut || isRetryable(outcome.status))) return null;
    const lockOut = isLockedOut ? this.#lockOutWait(outcome, resend) : null;
    if (lockOut !== null || resend >= MOST_RESENDS) return lockOut;
    if (this.#isLimited && outcome.status === LIMITED && operation !== 'hangUpCall') return null;
    const asked = waitFor(outcome.headers, resend + 1, this.#options.clock.now());
    if (asked === null || this.#waitedToCleanUp + asked > MOST_WAIT_TO_CLEAN_UP) return null;
    if (this.#waitedInVain + this.#added(asked) <= MOST_WAIT_IN_VAIN_TO_CLEAN_UP) return asked;
    // The last attempt to end a call comes earlier than the target asks for.
    const left = MOST_WAIT_IN_VAIN_TO_CLEAN_UP - this.#waitedInVain;
    return operation === 'hangUpCall' && left >= 1_000 ? left : null;
  }

  async #once(request: SuiteRequest, place: Place, resend: number): Promise<Sent> {
    const { transport, pacer, clock, register } = this.#options;
    await this.#invalid.turn(request.credential);
    await pacer.turn();
    this.#admission.demand(request, this.#stopped);
    if (place.cleanUp !== true) this.#demandLeave();
    const going = outgoing(request, place, this.#options);
    guard(request, going, this.#options);
    const seq = this.#seq + 1;
    // Announced once nothing else can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    if (mayChange(request) && place.cleanUp !== true) this.#options.beforeUpdate?.(request.operation);
    this.#seq = seq;
    const tag = tagOf(request, place, resend, register);
    const sentAt = clock.now();
    let outcome: WireOutcome | null = null;
    try {
      outcome = await transport(this.#hurried(going.wire, place));
      this.#silent = outcome.kind === 'failure' && outcome.failure === 'timeout' ? this.#silent + 1 : 0;
      return { exchange: this.#record(request, { seq, tag, sentAt, wire: going.wire, outcome }), outcome };
    } catch (error) {
      throw new Unrecorded(error, seq, this.#createOutcome(request, outcome));
    }
  }

  /** Clean-up of a target that stopped responding tries everything, but not for long. */
  #hurried(wire: WireRequest, { cleanUp }: Place): WireRequest {
    const isHopeless = cleanUp === true && this.#silent >= MOST_SILENT;
    return isHopeless ? { ...wire, timeout: wire.timeout / 4 } : wire;
  }

  #record(request: SuiteRequest, { seq, tag, sentAt, wire, outcome }: Received): Exchange {
    const { clock, recorder, onExchange, register, numberId, trunkId, callIdPointer } = this.#options;
    const at = sentAt - this.#startedAt;
    const took = clock.now() - sentAt;
    const { path, credential } = request;
    const recorded = recordExchange({ seq, tag, request: wire, path, credential, outcome, at, took }, recorder);
    const alreadySeen = (id: string): boolean => register.isKnownBefore(id);
    const context = { numberId, trunkId, callIdPointer, redactor: recorder.redactor, alreadySeen };
    const exchange = withLearned(recorded, learn(request, outcome, context));
    onExchange(exchange);
    register.noteLearned(exchange.response?.learned);
    // From then on what a list shows is only read.
    if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(request)) {
      register.sawInAnswer(new TextDecoder().decode(outcome.body));
    }
    return exchange;
  }

  /** What came of a create call whose answer could not be recorded: its call must be hung up all the same. */
  #createOutcome(request: SuiteRequest, outcome: WireOutcome | null): CreateOutcome {
    const { register, callIdPointer } = this.#options;
    const unclear = { kind: 'unclear', detail: 'no recorded answer' } as const;
    if (outcome === null || !isCreate(request)) return unclear;
    try {
      const create = createOutcome(outcome, request.path, (id) => register.isKnownBefore(id), callIdPointer);
      if (create.kind === 'placed') for (const id of create.ids) register.addCall(id);
      return create;
    } catch {
      return unclear;
    }
  }

  #demandLeave(): void {
    const { maxRequests } = this.#options;
    if (this.#stopped !== null) throw new Skipped(this.#stopped, undefined, 'stopped');
    if (this.#seq >= maxRequests) {
      throw new Skipped(`${maxRequests} requests were sent`, 'raise --max-requests', 'limit');
    }
  }
}

/** Whether a request may change a resource. */
function mayChange(request: SuiteRequest): request is SuiteRequest & { readonly operation: OperationId } {
  const { method, operation, body } = request;
  const isEmpty = body === null || body.length <= '{}'.length;
  return operation !== null && !isEmpty && (method === 'PATCH' || method === 'PUT');
}

function withLearned(exchange: Exchange, learned: Learned | null): Exchange {
  if (learned === null || exchange.response === null) return exchange;
  return { ...exchange, response: { ...exchange.response, learned } };
}
