/** Sends one request as often as the target asks for patience, within the caps, past the guards, into the record. */

import type { Exchange } from '../exchange/exchange.ts';
import type { WireOutcome } from '../exchange/message.ts';
import { recordExchange } from '../exchange/recorder.ts';
import type { ClientOptions } from './client-options.ts';
import { isNoAnswer, MOST_RESENDS, waitFor } from './pacing.ts';
import { dialGuard } from './safety/dial-guard.ts';
import { writeGuard } from './safety/write-guard.ts';
import { type Answer, GuardRefusal, type Place, type Stimulus, Withheld } from './stimulus.ts';
import { isCreate, type Outgoing, outgoing, tagOf } from './wire.ts';

/** An answer with the outcome that it was recorded from. */
export interface Sent {
  readonly answer: Answer;
  readonly outcome: WireOutcome;
}

/** Too many requests: the caller is limited, not the operation. */
const LIMITED = 429;
/** Waiting for clean-up in total, in milliseconds: twice the minute that a limited target may ask for. */
const MOST_WAIT_TO_CLEAN_UP = 130_000;

/** The gate through which every request leaves. */
export class Sender {
  readonly #options: ClientOptions;
  readonly #startedAt: number;
  #seq = 0;
  #waited = 0;
  #waitingUntil = 0;
  #waitedToCleanUp = 0;
  #stopped: string | null = null;
  readonly #gaveUp = new Set<string>();
  /** A caller that was waited for in vain is waited for no more, whatever it asks, until it is let in again. */
  #isLimited = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** From now on only what is exempt (clean-up) leaves. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /** Sends until the status is an answer; what never became one is not waited for a second time. */
  async send(stimulus: Stimulus, place: Place, exempt = false): Promise<Sent> {
    const { clock, onWait } = this.#options;
    const asked = `${stimulus.method} ${stimulus.operation ?? stimulus.path} ${stimulus.credential}`;
    for (let resend = 0; ; resend += 1) {
      const sent = await this.#once(stimulus, place, resend, exempt);
      if (sent.answer.accepted) this.#isLimited = false;
      const wait = exempt ? this.#cleanUpPatience(stimulus, sent, resend) : this.#patience(sent.outcome, resend, asked);
      if (wait === null) return sent;
      if (exempt) this.#waitedToCleanUp += wait;
      else this.#spend(wait);
      onWait?.(wait, sent.answer.status ?? 0);
      await (exempt && clock.rest !== undefined ? clock.rest(wait) : clock.sleep(wait));
    }
  }

  /** Milliseconds to wait before the request is sent again, or `null` where it is not. */
  #patience(outcome: WireOutcome, resend: number, asked: string): number | null {
    if (outcome.kind !== 'answer' || !isNoAnswer(outcome.status)) return null;
    // What is unavailable for good may still limit its callers for a while.
    const key = `${asked} ${outcome.status}`;
    const wait = waitFor(outcome.headers, resend + 1, this.#options.clock.now());
    const tooLong = wait === null || this.#waited + this.#added(wait) > this.#options.maxWait;
    const isVain = this.#isLimited && outcome.status === LIMITED;
    const hasEnded = this.#gaveUp.has(key) || isVain || this.#stopped !== null;
    if (resend < MOST_RESENDS && !tooLong && !hasEnded) return wait;
    this.#gaveUp.add(key);
    this.#isLimited ||= resend === MOST_RESENDS && outcome.status === LIMITED;
    return null;
  }

  /** What a wait adds to the waiting of the run: lanes that wait side by side wait but once. */
  #added(wait: number): number {
    const now = this.#options.clock.now();
    return Math.max(0, now + wait - Math.max(now, this.#waitingUntil));
  }

  #spend(wait: number): void {
    this.#waited += this.#added(wait);
    this.#waitingUntil = Math.max(this.#waitingUntil, this.#options.clock.now() + wait);
  }

  /** Clean-up is exempt from the cap on waiting, but not without an end of its own; an open call is waited for longest. */
  #cleanUpPatience({ operation }: Stimulus, { outcome }: Sent, resend: number): number | null {
    if (outcome.kind !== 'answer' || !isNoAnswer(outcome.status) || resend >= MOST_RESENDS) return null;
    if (this.#isLimited && outcome.status === LIMITED && operation !== 'hangUpCall') return null;
    const wait = waitFor(outcome.headers, resend + 1, this.#options.clock.now());
    return wait === null || this.#waitedToCleanUp + wait > MOST_WAIT_TO_CLEAN_UP ? null : wait;
  }

  async #once(stimulus: Stimulus, place: Place, resend: number, exempt: boolean): Promise<Sent> {
    const { transport, pacer, clock, recorder, onExchange, register } = this.#options;
    await pacer.turn();
    if (!exempt) this.#demandLeave();
    const going = outgoing(stimulus, place, this.#options);
    this.#guard(stimulus, going);
    this.#seq += 1;
    const seq = this.#seq;
    // Only what surely leaves is announced: whatever was, and has no answer, may have placed a call.
    if (isCreate(stimulus)) this.#options.beforeCreate?.(seq);
    const tag = tagOf(stimulus, place, resend, register);
    const sentAt = clock.now();
    const outcome = await transport(going.wire);
    const at = sentAt - this.#startedAt;
    const took = clock.now() - sentAt;
    const { path, credential } = stimulus;
    const exchange = recordExchange({ seq, tag, request: going.wire, path, credential, outcome, at, took }, recorder);
    onExchange(exchange);
    // What a list shows is only read from then on; a call of ours is not found but made.
    if (outcome.kind === 'answer' && isSuccess(outcome.status) && !isCreate(stimulus))
      register.sawInAnswer(textOf(outcome.body));
    return { answer: answerOf(exchange, outcome), outcome };
  }

  #demandLeave(): void {
    if (this.#stopped !== null) throw new Withheld(this.#stopped);
    if (this.#seq < this.#options.maxRequests) return;
    throw new Withheld(`${this.#options.maxRequests} requests were sent`, 'raise --max-requests');
  }

  #guard(stimulus: Stimulus, { wire, below }: Outgoing): void {
    const { numbers, createIds, register } = this.#options;
    const request = { method: stimulus.method, path: below, headers: wire.headers, body: wire.body };
    const refusal = writeGuard(request, register) ?? dialGuard(request, numbers, createIds);
    if (refusal?.isClaimed === true) {
      throw new Withheld('an answer of the target names the made-up id as one of its own');
    }
    if (refusal !== null) throw new GuardRefusal(refusal.rule, refusal.sentence);
  }
}

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** Few answers are looked into, and what a body of many levels becomes takes much more room than its bytes. */
function answerOf(exchange: Exchange, outcome: WireOutcome): Answer {
  const status = outcome.kind === 'answer' ? outcome.status : null;
  const accepted = isSuccess(status);
  // What was cut has no end; read as JSON, it takes many times its room before that is found out.
  const body = outcome.kind === 'answer' && accepted && !outcome.cut ? outcome.body : null;
  return {
    exchange,
    status,
    accepted,
    get json() {
      return body === null ? undefined : parsed(body);
    },
  };
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch {
    return undefined;
  }
}
