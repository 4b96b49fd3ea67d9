/** What a run does while its target does not respond: it waits, and finds the request that is the cause (section 5). */

import type { Answer } from '../client/request.ts';
import { WAITING } from '../contract/waiting.ts';
import { type Exchange, isUnanswered } from '../exchange/exchange.ts';
import { isUnsent, showsOutage } from '../verdict/outage.ts';

/** Milliseconds that an outage may last: waits, and the time that the health checks themselves took. */
export const LONGEST_OUTAGE = 61_000;
/** How often a request that took the target down is sent again at most. */
const MOST_RESENDS = 3;
/** Number of times the target has to go down after a request before the request counts as the cause. */
const FALLS = 2;

/**
 * Lets the lanes of a run send, or holds them while one of them examines an outage. It changes when they send, not what:
 * lanes share nothing.
 */
export class OutageLock {
  #sending = 0;
  /** Lanes that wait to examine; a request that reached the target comes before one that found it gone already. */
  readonly #waiting: Waiting = { sent: 0, unsent: 0 };
  #isBusy = false;
  #wake: (() => void)[] = [];

  /** Sends as soon as no lane examines an outage; If `due` calls for an examination, `alone` has to follow. */
  async pass<T>(
    send: () => Promise<T>,
    due: (answer: T) => Examination,
  ): Promise<{ readonly first: T; readonly kind: Examination }> {
    while (this.#isBusy || this.#waiting.sent + this.#waiting.unsent > 0) await this.#change();
    this.#sending += 1;
    try {
      const first = await send();
      const kind = due(first);
      if (kind !== null) this.#waiting[kind] += 1;
      return { first, kind };
    } finally {
      this.#sending -= 1;
      this.#changed();
    }
  }

  /** Works while no other lane sends, after an answer of that kind. */
  async alone<T>(kind: keyof Waiting, work: () => Promise<T>): Promise<T> {
    while (this.#isBusy || this.#sending > 0 || (kind === 'unsent' && this.#waiting.sent > 0)) await this.#change();
    this.#isBusy = true;
    this.#waiting[kind] -= 1;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
      this.#changed();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

interface Waiting {
  sent: number;
  unsent: number;
}

/** Whether a request without a response calls for an examination, and whether it had been sent. */
export type Examination = keyof Waiting | null;

/** What an examination can do. */
export interface Examiner {
  readonly check: () => Promise<Answer>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds for which the target is waited for. */
  readonly patience: number;
  /** Sends the request once more; `null` where it must not be repeated. */
  readonly resend: ((last: Exchange) => Promise<Answer>) | null;
  /** The target did not come back: this completes "the target stopped responding: …". */
  readonly end: (detail: string) => void;
}

/** What came of it: the last answer, and whether the request takes the target down. */
export interface Examined {
  readonly answer: Answer;
  readonly isCrash: boolean;
}

const hangs = ({ failure }: Exchange): boolean => failure?.kind === 'timeout';

/**
 * Whether the target responds at once, only after a wait, or not at all any more. A target that hangs before and after
 * the other lanes were waited for has been silent all that time.
 */
async function presence(
  { exchange: first }: Answer,
  { check, sleep, patience, end }: Examiner,
): Promise<'present' | 'back' | 'gone'> {
  const checks: Exchange[] = [];
  let [lasted, silence] = [0, 0];
  for (const wait of [...WAITING.outage.waits, LONGEST_OUTAGE]) {
    const { exchange } = await check();
    if (!isUnanswered(exchange)) return showsOutage(checks) ? 'back' : 'present';
    if (checks.length === 0 && hangs(first) && hangs(exchange)) silence = exchange.at - first.at;
    checks.push(exchange);
    lasted += exchange.took + wait;
    // Another lane may have been answered in between, so that a single check is not enough to count it.
    if (lasted > patience || (checks.length > 1 && silence + lasted > patience)) {
      end(exchange.failure?.detail ?? `status ${exchange.response?.status}`);
      break;
    }
    await sleep(wait);
  }
  return 'gone';
}

/**
 * Finds out whether the target is still there after a request without a response. If it went down and came back, the
 * request is sent again, with nothing beside it: if the target goes down again, that is the cause.
 */
export async function examine(first: Answer, examiner: Examiner): Promise<Examined> {
  let answer = first;
  let falls = 0;
  for (let resent = 0; isUnanswered(answer.exchange); resent += 1) {
    const found = await presence(answer, examiner);
    const wasSent = !isUnsent(answer.exchange);
    if (found === 'gone' || (found === 'present' && wasSent)) break;
    if (wasSent) falls += 1;
    if (falls === FALLS) return { answer, isCrash: true };
    if (examiner.resend === null || resent === MOST_RESENDS) break;
    answer = await examiner.resend(answer.exchange);
  }
  return { answer, isCrash: false };
}
