/** A live target: applies the guards, the caps and the retries, and records every exchange. */

import { isRetryable, isSuccess } from '../contract/statuses.ts';
import type { Exchange, Learned } from '../exchange/exchange.ts';
import type { WireAnswer, WireOutcome } from '../exchange/message.ts';
import { recordExchange } from '../exchange/recorder.ts';
import type { ClientOptions } from './client-options.ts';
import { InvalidCredentials } from './invalid-credentials.ts';
import { learn } from './learned.ts';
import { LONGEST_WAIT, MOST_RESENDS, waitFor } from './pacing.ts';
import { type Place, Skipped, type SuiteRequest } from './request.ts';
import { Admission } from './safety/admission.ts';
import { guard } from './safety/guard.ts';
import type { Target } from './target.ts';
import { isCreate, outgoing, tagOf } from './wire.ts';

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
      if (isSuccess(status)) this.#isLimited = false;
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
      if (cleanUp && !isLockedOut) this.#waitedToCleanUp += wait;
      else this.#spend(wait);
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
    const tooLong = wait === null || this.#waited + this.#added(wait) > this.#options.maxWait;
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

  #spend(wait: number): void {
    this.#waited += this.#added(wait);
    this.#waitingUntil = Math.max(this.#waitingUntil, this.#options.clock.now() + wait);
  }

  /** Clean-up is exempt from the cap on waiting, but has a limit of its own; for an open call it waits longest. */
  #cleanUpWait({ operation }: SuiteRequest, { outcome, resend, isLockedOut }: Given): number | null {
    if (outcome.kind !== 'answer' || !(isLockedOut || isRetryable(outcome.status))) return null;
    const lockOut = isLockedOut ? this.#lockOutWait(outcome, resend) : null;
    if (lockOut !== null || resend >= MOST_RESENDS) return lockOut;
    if (this.#isLimited && outcome.status === LIMITED && operation !== 'hangUpCall') return null;
    const wait = waitFor(outcome.headers, resend + 1, this.#options.clock.now());
    return wait === null || this.#waitedToCleanUp + wait > MOST_WAIT_TO_CLEAN_UP ? null : wait;
  }

  async #once(request: SuiteRequest, place: Place, resend: number): Promise<Sent> {
    const { transport, pacer, clock, recorder, onExchange, register, numberId, trunkId, callIdPointer } = this.#options;
    await this.#invalid.turn(request.credential);
    await pacer.turn();
    this.#admission.demand(request, this.#stopped);
    if (place.cleanUp !== true) this.#demandLeave();
    const going = outgoing(request, place, this.#options);
    guard(request, going, this.#options);
    this.#seq += 1;
    const seq = this.#seq;
    // Announced once nothing can stop it: an announced create call without an answer may have placed a call.
    if (isCreate(request)) this.#options.beforeCreate?.(seq);
    const tag = tagOf(request, place, resend, register);
    const sentAt = clock.now();
    const outcome = await transport(going.wire);
    const at = sentAt - this.#startedAt;
    const took = clock.now() - sentAt;
    const { path, credential } = request;
    const recorded = recordExchange({ seq, tag, request: going.wire, path, credential, outcome, at, took }, recorder);
    const alreadySeen = (id: string): boolean => register.isKnownBefore(id);
    const context = { numberId, trunkId, callIdPointer, redactor: recorder.redactor, alreadySeen };
    const exchange = withLearned(recorded, learn(request, outcome, context));
    onExchange(exchange);
    register.noteLearned(exchange.response?.learned);
    // From then on what a list shows is only read.
    if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(request)) {
      register.sawInAnswer(new TextDecoder().decode(outcome.body));
    }
    return { exchange, outcome };
  }

  #demandLeave(): void {
    const { maxRequests } = this.#options;
    if (this.#stopped !== null) throw new Skipped(this.#stopped, undefined, 'stopped');
    if (this.#seq >= maxRequests) {
      throw new Skipped(`${maxRequests} requests were sent`, 'raise --max-requests', 'limit');
    }
  }
}

function withLearned(exchange: Exchange, learned: Learned | null): Exchange {
  if (learned === null || exchange.response === null) return exchange;
  return { ...exchange, response: { ...exchange.response, learned } };
}
