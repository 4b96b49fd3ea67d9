/**
 * How fast requests leave, how long one waits before it is sent again, for how long all may wait in total, and when to
 * give up (conformance model, section 5).
 */

import { isRetryable } from '../contract/statuses.ts';
import { type Header, headerValue, type WireAnswer, type WireOutcome } from '../exchange/message.ts';
import type { ClientOptions } from './client-options.ts';
import type { InvalidCredentials } from './invalid-credentials.ts';
import type { SuiteRequest } from './request.ts';

/** Time as an argument: milliseconds since the epoch, and a pause that an interruption ends early. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A pause that nothing ends early, for clean-up; like `sleep` if absent. */
  rest?(milliseconds: number): Promise<void>;
}

/** A pause that an interruption does not end early. */
export function restFor(milliseconds: number, clock: Clock): Promise<void> {
  return clock.rest === undefined ? clock.sleep(milliseconds) : clock.rest(milliseconds);
}

/** How often one request is sent again. */
export const MOST_RESENDS = 6;
/** The longest single wait, in milliseconds; if a target asks for more, the request is not sent again. */
export const LONGEST_WAIT = 65_000;
/** A shorter wait, in milliseconds, is believed only once. */
const SHORTEST_REPEATED = 1_000;

function fieldOf(headers: readonly Header[], name: string): string {
  return headerValue(headers, name)?.trim() ?? '';
}

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

function retryAfter(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'retry-after');
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // The target means its dates by its own clock.
  const theirs = Date.parse(fieldOf(headers, 'date'));
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/** `X-RateLimit-Reset` is an epoch in seconds or a delta: whichever gives a wait that is short enough. */
function rateLimitReset(headers: readonly Header[], now: number): number | undefined {
  const value = fieldOf(headers, 'x-ratelimit-reset');
  if (!/^\d+(\.\d+)?$/.test(value)) return undefined;
  const wait = Number(value) * 1000;
  return [wait, wait - now].find((each) => each >= 0 && each <= LONGEST_WAIT);
}

/**
 * Milliseconds to wait before the request is sent again for the `resend`th time (from 1), or `null` if the target asks
 * for too long a wait.
 */
export function waitFor(headers: readonly Header[], resend: number, now: number): number | null {
  const backoff = 1000 * 2 ** (resend - 1);
  const asked = retryAfter(headers, now) ?? rateLimitReset(headers, now) ?? backoff;
  if (asked > LONGEST_WAIT) return null;
  // A target that asks for no wait and then rejects the next request is not believed again.
  return resend > 1 && asked < SHORTEST_REPEATED ? backoff : asked;
}

/** Makes work wait its turn: none begins before all that was handed in earlier is over. */
export function inTurn(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Spreads requests over time: `rate` requests a second, 0 for no limit. */
export class Pacer {
  readonly #gap: number;
  readonly #clock: Clock;
  #next = 0;

  constructor(rate: number, clock: Clock) {
    this.#gap = rate > 0 ? 1000 / rate : 0;
    this.#clock = clock;
  }

  /** Resolves when the next request may leave. */
  async turn(): Promise<void> {
    if (this.#gap === 0) return;
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.sleep(at - now);
  }
}

/** An answer after which the request may be sent again. */
interface Given {
  readonly outcome: WireOutcome;
  readonly resend: number;
  readonly isLockedOut: boolean;
  readonly cleanUp: boolean;
}

/** Too many requests: the caller is limited, not the operation. */
const LIMITED = 429;
/** Milliseconds that clean-up waits in total: twice the minute that a rate-limited caller may be told to wait. */
export const MOST_WAIT_TO_CLEAN_UP = 130_000;
/** Milliseconds waited without any success in between; the clean-up after the run may take a little longer. */
export const MOST_WAIT_IN_VAIN = 90_000;
const MOST_WAIT_IN_VAIN_TO_CLEAN_UP = 105_000;

/** Decides on waits and adds them up. */
export class Waiting {
  readonly #options: Pick<ClientOptions, 'clock' | 'maxWait'>;
  readonly #invalid: InvalidCredentials;
  readonly #isStopped: () => boolean;
  #waited = 0;
  #waitingUntil = 0;
  #waitedToCleanUp = 0;
  /** Milliseconds waited since the last success: a target that only puts off is not waited for much longer than it asks. */
  #waitedInVain = 0;
  readonly #gaveUp = new Set<string>();
  /** All retries of some request were answered 429: no other request waits until one is accepted again. */
  #isLimited = false;

  constructor(
    options: Pick<ClientOptions, 'clock' | 'maxWait'>,
    invalid: InvalidCredentials,
    isStopped: () => boolean,
  ) {
    this.#options = options;
    this.#invalid = invalid;
    this.#isStopped = isStopped;
  }

  /** A request was accepted, or a lock-out is over. */
  noteSuccess(): void {
    this.#isLimited = false;
    this.#waitedInVain = 0;
  }

  /** Milliseconds to wait before the request is sent again, which count from now on; `null` where it is not sent again. */
  of(request: SuiteRequest, given: Given): number | null {
    const { outcome, isLockedOut, cleanUp } = given;
    if (outcome.kind !== 'answer' || !(isLockedOut || isRetryable(outcome.status))) return null;
    const wait = cleanUp ? this.#toCleanUp(request, outcome, given) : this.#inRun(request, outcome, given);
    if (wait === null) return null;
    if (!isLockedOut || outcome.status === LIMITED) this.#waitedInVain += this.#added(wait);
    if (cleanUp && !isLockedOut) this.#waitedToCleanUp += wait;
    else this.#waited += this.#added(wait);
    this.#waitingUntil = Math.max(this.#waitingUntil, this.#options.clock.now() + wait);
    return wait;
  }

  #inRun(
    { method, operation, path, credential }: SuiteRequest,
    answer: WireAnswer,
    { resend, isLockedOut }: Given,
  ): number | null {
    if (isLockedOut) return this.#forLockOut(answer, resend);
    const { status, headers } = answer;
    // An operation that is unavailable for good may still limit its callers for a while.
    const key = `${method} ${operation ?? path} ${credential} ${status}`;
    const wait = waitFor(headers, resend + 1, this.#options.clock.now());
    const isInVain = wait !== null && this.#waitedInVain + this.#added(wait) > MOST_WAIT_IN_VAIN;
    const tooLong = wait === null || isInVain || this.#waited + this.#added(wait) > this.#options.maxWait;
    const isHopeless = this.#isLimited && status === LIMITED;
    const hasEnded = this.#gaveUp.has(key) || isHopeless || this.#isStopped();
    if (resend < MOST_RESENDS && !tooLong && !hasEnded) return wait;
    this.#gaveUp.add(key);
    this.#isLimited ||= resend === MOST_RESENDS && status === LIMITED;
    return null;
  }

  /** A lock-out is waited for as long as the cap on waiting allows; 429 may be a rate limit that never ends. */
  #forLockOut({ headers, status }: WireAnswer, resend: number): number | null {
    const { clock, maxWait } = this.#options;
    const inVain = status === LIMITED ? MOST_WAIT_IN_VAIN - this.#waitedInVain : maxWait;
    const asked = waitFor(headers, resend + 1, clock.now()) ?? LONGEST_WAIT;
    const wait = Math.min(asked, maxWait - this.#waited, inVain);
    if (wait > 0 && !this.#isStopped()) return wait;
    this.#invalid.giveUp();
    return null;
  }

  /** What a wait adds to the total: lanes that wait at the same time count once. */
  #added(wait: number): number {
    const now = this.#options.clock.now();
    return Math.max(0, now + wait - Math.max(now, this.#waitingUntil));
  }

  /** Clean-up is exempt from the cap on waiting, but has a limit of its own; for an open call it waits longest. */
  #toCleanUp({ operation }: SuiteRequest, answer: WireAnswer, { resend, isLockedOut }: Given): number | null {
    const lockOut = isLockedOut ? this.#forLockOut(answer, resend) : null;
    if (lockOut !== null || resend >= MOST_RESENDS) return lockOut;
    if (this.#isLimited && answer.status === LIMITED && operation !== 'hangUpCall') return null;
    const asked = waitFor(answer.headers, resend + 1, this.#options.clock.now());
    if (asked === null || this.#waitedToCleanUp + asked > MOST_WAIT_TO_CLEAN_UP) return null;
    if (this.#waitedInVain + this.#added(asked) <= MOST_WAIT_IN_VAIN_TO_CLEAN_UP) return asked;
    // The last attempt to end a call comes earlier than the target asks for.
    const left = MOST_WAIT_IN_VAIN_TO_CLEAN_UP - this.#waitedInVain;
    return operation === 'hangUpCall' && left >= 1_000 ? left : null;
  }
}
