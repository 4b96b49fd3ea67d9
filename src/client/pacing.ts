/** How long a request waits before it is sent again, for how long all may wait in total, and when to give up. */

import { LONGEST_WAIT, MOST_FRUITLESS_WAIT, WAITING } from '../contract/waiting.ts';
import type { WireAnswer, WireOutcome } from '../exchange/message.ts';
import type { ClientOptions } from './client-options.ts';
import { type InvalidCredentials, isInvalid } from './invalid-credentials.ts';
import type { SuiteRequest } from './request.ts';
import { isPostponed, waitFor } from './waiting.ts';

/** What a request remembers of its answers, while it is sent again and again. */
export interface Patience {
  /** While it waits for the end of a lock-out, it holds all others. */
  letOthersGo: (() => void) | null;
  /** Waits of its own; those of the whole run do not count. */
  waits: number;
  /** How many requests of the run had been answered when it was first put off. */
  answered: number | null;
}

/** The patience of a request that was not sent yet. */
export const newPatience = (): Patience => ({ letOthersGo: null, waits: 0, answered: null });

/** An answer after which the request may be sent again. */
interface Given {
  readonly outcome: WireOutcome;
  readonly resend: number;
  readonly isLockedOut: boolean;
  readonly cleanUp: boolean;
  readonly patience: Patience;
}

/** A wait; if it is the run's, all requests wait for it at the send gate. */
export interface Wait {
  readonly milliseconds: number;
  readonly isOfRun: boolean;
  /** Milliseconds after which waiting for this ends in any case. */
  readonly most: number;
}

/** Too many requests: the caller is limited, not the operation. */
const LIMITED = 429;
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

/** Decides on waits and adds them up. */
export class Waiting {
  readonly #options: Pick<ClientOptions, 'clock' | 'maxWait'>;
  readonly #invalid: InvalidCredentials;
  readonly #isStopped: () => boolean;
  #waited = 0;
  #waitingUntil = 0;
  #waitedToCleanUp = 0;
  /** Milliseconds waited since the last answer that was one. */
  #fruitlessWait = 0;
  #waitedLockedOut = 0;
  /** Milliseconds after which the lock-out still lasted, and those after which the one before it did. */
  #stillLockedOut = 0;
  #lockOutLasted = 0;
  #answered = 0;
  readonly #gaveUp = new Set<string>();
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

  /** A request was answered, and not put off. */
  noteAnswer(): void {
    this.#answered += 1;
    this.#isLimited = false;
    this.#fruitlessWait = 0;
  }

  /** A request with the valid credential was accepted, or a lock-out is over. */
  noteSuccess(): void {
    this.noteAnswer();
    if (this.#waitedLockedOut > 0) this.#lockOutLasted = this.#stillLockedOut;
    this.#waitedLockedOut = 0;
  }

  /** The wait before the request is sent again, which counts from now on; `null` where it is not sent again. */
  of(request: SuiteRequest, given: Given): Wait | null {
    const { outcome, isLockedOut, cleanUp, patience } = given;
    if (outcome.kind !== 'answer' || !(isLockedOut || isPostponed(outcome.status, outcome.headers, request)))
      return null;
    patience.answered ??= this.#answered;
    const wait = cleanUp ? this.#toCleanUp(request, outcome, given) : this.#inRun(request, outcome, given);
    if (wait === null) return null;
    const isOfRun = !cleanUp && this.#isOfRun(request, outcome, patience);
    if (!isOfRun) patience.waits += 1;
    const added = this.#added(wait);
    if (isLockedOut) this.#waitedLockedOut += added;
    else this.#fruitlessWait += added;
    if (cleanUp && !isLockedOut) this.#waitedToCleanUp += wait;
    else if (!isOfRun) this.#waited += added;
    this.#waitingUntil = Math.max(this.#waitingUntil, this.#options.clock.now() + wait);
    return { milliseconds: wait, isOfRun, most: this.#most(outcome.status, isLockedOut) };
  }

  #inRun(request: SuiteRequest, answer: WireAnswer, { resend, isLockedOut, patience }: Given): number | null {
    if (isLockedOut) return this.#forLockOut(answer, resend);
    const { status, headers } = answer;
    const isLimit = status === LIMITED;
    // An operation that is unavailable for good may still limit its callers for a while.
    const key = keyOf(request, status);
    if (this.#gaveUp.has(key) || (isLimit && this.#isLimited) || this.#isStopped()) return null;
    const wait = waitFor(headers, resend + 1, this.#options.clock.now());
    const added = this.#added(wait ?? 0);
    const isTooLong = this.#fruitlessWait + added > this.#most(status, false);
    const isOfRun = this.#isOfRun(request, answer, patience);
    const isTooMuch = patience.waits >= MOST_RESENDS || this.#waited + added > this.#options.maxWait;
    const isEnough = request.operation === 'createCall' && resend >= MOST_CREATE_RESENDS;
    if (wait !== null && !isTooLong && !isEnough && (isOfRun || !isTooMuch)) return wait;
    if (isEnough && isOfRun) return null;
    this.#gaveUp.add(key);
    this.#isLimited ||= isLimit && isTooLong;
    return null;
  }

  /**
   * As long as nothing is answered, the whole run is limited, and a request is sent as often as it takes. Of an invalid
   * credential there may have been too many, which limits no other request.
   */
  #isOfRun({ credential }: SuiteRequest, { status }: WireAnswer, { answered }: Patience): boolean {
    return status === LIMITED && !isInvalid(credential) && answered === this.#answered;
  }

  /** How long may be waited while nothing is answered: before the target answered anything at all, not long. */
  #most(status: number, isLockedOut: boolean): number {
    const { maxWait } = this.#options;
    const isLong = isLockedOut ? status !== 403 : status === LIMITED && this.#answered > 0;
    return isLong ? maxWait : Math.min(maxWait, isLockedOut ? LONGEST_WAIT : MOST_FRUITLESS_WAIT);
  }

  /** A lock-out is waited for as long as the cap on waiting allows; a 403 may also be meant for good. */
  #forLockOut({ headers, status }: WireAnswer, resend: number): number | null {
    const { clock, maxWait } = this.#options;
    this.#stillLockedOut = this.#waitedLockedOut;
    // A lock-out is expected to last at least as long as the one before it.
    const least = resend === 0 ? Math.min(this.#lockOutLasted, LONGEST_WAIT) : 0;
    const asked = Math.max(least, waitFor(headers, resend + 1, clock.now()) ?? LONGEST_WAIT);
    const wait = Math.min(asked, maxWait - this.#waited, this.#most(status, true) - this.#waitedLockedOut);
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
    const left = MOST_FRUITLESS_WAIT_TO_CLEAN_UP - Math.min(this.#fruitlessWait, MOST_FRUITLESS_WAIT);
    if (this.#added(asked) <= left) return asked;
    // The last attempt to end a call comes earlier than the target asks for.
    return operation === 'hangUpCall' && left >= 1_000 ? left : null;
  }
}
