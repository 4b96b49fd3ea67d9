/** When an answer wants its request to be sent again, how long all may wait for that in total, and when to give up. */

import { isRetryable } from '../contract/statuses.ts';
import { LONGEST_WAIT, MOST_FRUITLESS_WAIT, WAITING } from '../contract/waiting.ts';
import type { Exchange, RecordedResponse } from '../exchange/exchange.ts';
import { type Header, headerValue } from '../exchange/message.ts';
import type { ClientOptions } from './client-options.ts';
import { type InvalidCredentials, isInvalid } from './invalid-credentials.ts';
import type { SuiteRequest } from './request.ts';

/** A shorter wait, in milliseconds, is believed only once. */
const SHORTEST_REPEATED = 1_000;

const fieldOf = (headers: readonly Header[], name: string): string => headerValue(headers, name)?.trim() ?? '';

/** The three forms of RFC 9110, section 5.6.7; `Date.parse` alone accepts much more. */
const HTTP_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? .*\d\d:\d\d:\d\d/;

/** Milliseconds that `Retry-After` asks for, as seconds or as a date; `undefined` without a valid one. */
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
  const { waits } = WAITING.unavailable;
  const backoff = waits[Math.min(resend, waits.length) - 1] ?? 0;
  const asked = retryAfter(headers, now) ?? rateLimitReset(headers, now) ?? backoff;
  if (asked > LONGEST_WAIT) return null;
  // A target that asks for no wait and then rejects the next request is not believed again.
  return resend > 1 && asked < SHORTEST_REPEATED ? backoff : asked;
}

const POSTPONED: ReadonlySet<number> = new Set(WAITING.asked.statuses);

/** Whether an answer asks for its request to be sent again. What hang-ups wait for, the ledger of calls knows. */
export function isPostponed({ response, request, tag }: Exchange): boolean {
  if (response === null) return false;
  const { status, headers } = response;
  const mayBeAsked = request.credential === 'valid' && tag.operation !== 'hangUpCall' && POSTPONED.has(status);
  return isRetryable(status) || (mayBeAsked && retryAfter(headers, 0) !== undefined);
}

/** Number of equal answers in a row, without a time to try again, after which a 503 may be meant for good. */
export const MOST_EQUAL = 3;
/** A dependency is unavailable. */
export const UNAVAILABLE = 503;

/** Counts equal answers of 503 to one request that name no time to try again. */
export class Unavailable {
  #text: string | undefined;
  #count = 0;

  /** Notes an answer; returns whether it may be meant for good. Numbers in its text may differ: times and ids. */
  note({ status, headers, body }: RecordedResponse): boolean {
    const text = body?.text?.replace(/\d+/g, '') ?? '';
    const isEqual = status === UNAVAILABLE && fieldOf(headers, 'retry-after') === '';
    this.#count = !isEqual ? 0 : text === this.#text ? this.#count + 1 : 1;
    this.#text = text;
    return this.#count >= MOST_EQUAL;
  }
}

/** What a request remembers of its answers, while it is sent again and again. */
export interface Patience {
  /** It waits for the end of a lock-out. */
  isLockedOut: boolean;
  /** Its waits; those for a rate limit do not count. */
  waits: number;
}

/** A request that was put off by its last response. */
interface PutOff {
  readonly request: SuiteRequest;
  readonly response: Pick<RecordedResponse, 'status' | 'headers'>;
  /** How often it was sent before. */
  readonly resend: number;
  readonly isLockedOut: boolean;
  readonly cleanUp: boolean;
  readonly patience: Patience;
  /** Milliseconds since its response came: others of its batch may have waited meanwhile. */
  readonly since: number;
}

/** A wait. */
export interface Wait {
  readonly milliseconds: number;
  /** Milliseconds after which waiting for this ends in any case. */
  readonly most: number;
}

/** Too many requests: the caller is limited, not the operation. */
export const LIMITED = 429;
/** How often a request is sent again; fewer times for a create call, because each may place a call after all. */
export const MOST_RESENDS = WAITING.unavailable.waits.length;
export const MOST_CREATE_RESENDS = WAITING.createCall.waits.length;
/** Milliseconds that clean-up waits in total: twice the minute that a rate-limited caller may be told to wait. */
export const MOST_WAIT_TO_CLEAN_UP = 130_000;
/** Milliseconds that clean-up waits while nothing is answered: a little longer than the rest of a run. */
const MOST_FRUITLESS_WAIT_TO_CLEAN_UP = 105_000;

/** A caller with invalid credentials is limited whatever the operation. */
const keyOf = ({ method, operation, path, credential }: SuiteRequest, status: number): string =>
  isInvalid(credential) && status === LIMITED ? 'invalid' : `${method} ${operation ?? path} ${credential} ${status}`;

/**
 * Whether the whole run is limited, so that the request is sent as often as it takes. Of an invalid credential there may
 * have been too many, which limits no other request.
 */
const isRateLimit = ({ request, response }: PutOff): boolean =>
  response.status === LIMITED && !isInvalid(request.credential);

/** Decides on waits and adds them up. */
export class Waiting {
  readonly #options: Pick<ClientOptions, 'clock' | 'maxWait'>;
  readonly #invalid: InvalidCredentials;
  readonly #isStopped: () => boolean;
  #waited = 0;
  #waitedToCleanUp = 0;
  /** Milliseconds waited since the last answer that was one. */
  #fruitlessWait = 0;
  #waitedLockedOut = 0;
  /** Milliseconds after which the lock-out still lasted, and those after which the one before it did. */
  #stillLockedOut = 0;
  #lockOutLasted = 0;
  #isAnswered = false;
  readonly #gaveUp = new Set<string>();
  /** Operations that are unavailable while others are served. */
  readonly #unavailable = new Set<string>();
  /** The run gave up waiting for a rate limit: no request waits for it until one is answered again. */
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

  /** A request was answered, and not put off; `isSuccess`: it was accepted, or a lock-out is over. */
  noteAnswer(isSuccess: boolean): void {
    this.#isAnswered = true;
    this.#isLimited = false;
    this.#fruitlessWait = 0;
    if (!isSuccess) return;
    if (this.#waitedLockedOut > 0) this.#lockOutLasted = this.#stillLockedOut;
    this.#waitedLockedOut = 0;
  }

  /** The operation is unavailable, and perhaps for good: no request to it is waited for until one is answered otherwise. */
  noteUnavailable({ method, operation, path }: SuiteRequest): void {
    this.#unavailable.add(`${method} ${operation ?? path}`);
  }

  /** Notes that the operation was answered. */
  noteAvailable({ method, operation, path }: SuiteRequest): void {
    this.#unavailable.delete(`${method} ${operation ?? path}`);
  }

  /** The wait before the request is sent again, which counts from now on; `null` where it is not sent again. */
  of(one: PutOff): Wait | null {
    const { response, isLockedOut, cleanUp, patience } = one;
    const wait = cleanUp ? this.#toCleanUp(one) : this.#inRun(one);
    if (wait === null) return null;
    const isOfCaller = !cleanUp && isRateLimit(one);
    if (!isOfCaller) patience.waits += 1;
    if (isLockedOut) this.#waitedLockedOut += wait;
    else this.#fruitlessWait += wait;
    if (cleanUp && !isLockedOut) this.#waitedToCleanUp += wait;
    else if (!isOfCaller) this.#waited += wait;
    return { milliseconds: wait, most: this.#most(response.status, isLockedOut) };
  }

  #inRun(one: PutOff): number | null {
    const { request, response, resend, isLockedOut, patience } = one;
    if (isLockedOut) return this.#forLockOut(one);
    const isLimit = response.status === LIMITED;
    // An operation that is unavailable for good may still limit its callers for a while.
    const key = keyOf(request, response.status);
    const isUnavailable = this.#unavailable.has(`${request.method} ${request.operation ?? request.path}`);
    if (response.status === UNAVAILABLE && isUnavailable) return null;
    if (this.#gaveUp.has(key) || (isLimit && this.#isLimited) || this.#isStopped()) return null;
    const wait = this.#asked(one);
    const isTooLong = this.#fruitlessWait + (wait ?? 0) > this.#most(response.status, false);
    const isOfCaller = isRateLimit(one);
    const isTooMuch = patience.waits >= MOST_RESENDS || this.#waited + (wait ?? 0) > this.#options.maxWait;
    const isEnough = request.operation === 'createCall' && resend >= MOST_CREATE_RESENDS;
    if (wait !== null && !isTooLong && !isEnough && (isOfCaller || !isTooMuch)) return wait;
    if (isEnough && isOfCaller) return null;
    this.#gaveUp.add(key);
    this.#isLimited ||= isLimit && isTooLong;
    return null;
  }

  #asked({ response, resend, since }: PutOff): number | null {
    const asked = waitFor(response.headers, resend + 1, this.#options.clock.now());
    return asked === null ? null : Math.max(0, asked - since);
  }

  /** How long may be waited while nothing is answered: before the target answered anything at all, not long. */
  #most(status: number, isLockedOut: boolean): number {
    const { maxWait } = this.#options;
    const isLong = isLockedOut ? status !== 403 : status === LIMITED && this.#isAnswered;
    return isLong ? maxWait : Math.min(maxWait, isLockedOut ? LONGEST_WAIT : MOST_FRUITLESS_WAIT);
  }

  /** A lock-out is waited for as long as the cap on waiting allows; a 403 may also be meant for good. */
  #forLockOut(one: PutOff): number | null {
    this.#stillLockedOut = this.#waitedLockedOut;
    // A lock-out is expected to last at least as long as the one before it.
    const least = one.resend === 0 ? Math.min(this.#lockOutLasted, LONGEST_WAIT) : 0;
    const asked = Math.max(least, this.#asked(one) ?? LONGEST_WAIT);
    const left = this.#most(one.response.status, true) - this.#waitedLockedOut;
    const wait = Math.min(asked, this.#options.maxWait - this.#waited, left);
    if (wait > 0 && !this.#isStopped()) return wait;
    this.#invalid.giveUp();
    return null;
  }

  /** Clean-up is exempt from the cap on waiting, but has a limit of its own; for an open call it waits longest. */
  #toCleanUp(one: PutOff): number | null {
    const isHangUp = one.request.operation === 'hangUpCall';
    const lockOut = one.isLockedOut ? this.#forLockOut(one) : null;
    if (lockOut !== null || one.resend >= MOST_RESENDS) return lockOut;
    if (this.#isLimited && one.response.status === LIMITED && !isHangUp) return null;
    const asked = this.#asked(one);
    if (asked === null || this.#waitedToCleanUp + asked > MOST_WAIT_TO_CLEAN_UP) return null;
    const left = MOST_FRUITLESS_WAIT_TO_CLEAN_UP - Math.min(this.#fruitlessWait, MOST_FRUITLESS_WAIT);
    if (asked <= left) return asked;
    // The last attempt to end a call comes earlier than the target asks for.
    return isHangUp && left >= 1_000 ? left : null;
  }
}
