/** A request that got a retryable answer is sent again: leaving out what came then would hide it. */

import { MOST_CREATE_RESENDS, MOST_RESENDS, MOST_WAIT_TO_CLEAN_UP } from '../client/pacing.ts';
import { waitFor } from '../client/waiting.ts';
import { isRetryable, isSuccess } from '../contract/statuses.ts';
import { LONGEST_WAIT, MOST_WAIT_IN_VAIN } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { headerValue } from '../exchange/message.ts';
import { DEFAULTS } from '../run/options.ts';

const LIMITED = 429;
const MOST_WAIT = { probes: DEFAULTS.maxWait, cleanUp: MOST_WAIT_TO_CLEAN_UP };

const statusOf = ({ response }: Exchange): number => response?.status ?? 0;
const purposeOf = ({ tag }: Exchange) => (tag.role === 'restore' || tag.role === 'hang-up' ? 'cleanUp' : 'probes');
const waitAfter = ({ response, tag }: Exchange): number | null => waitFor(response?.headers ?? [], tag.resend + 1, 0);

/** Milliseconds of a wait; no gap counts for more than what the answer asked for, which a moment in time leaves open. */
function waitedBetween(one: Exchange, next: Exchange): number {
  const isMoment = headerValue(one.response?.headers ?? [], 'x-ratelimit-reset') !== undefined;
  const most = isMoment ? LONGEST_WAIT : (waitAfter(one) ?? LONGEST_WAIT);
  return Math.min(most, Math.max(0, next.at - one.at - one.took));
}

/** Requests with the same key are given up together. */
const keyOf = (one: Exchange): string =>
  [one.request.method, one.tag.operation ?? one.request.path, one.request.credential, statusOf(one)].join('\n');

/** What a client remembers of the answers so far, in the order of the record. */
class Patience {
  readonly #gaveUp = new Set<string>();
  #isLimited = false;
  readonly #waited = { probes: 0, cleanUp: 0 };
  #waitedInVain = 0;

  /** Whether the request of this answer may be given up. */
  mayGiveUp(one: Exchange): boolean {
    const { operation, resend } = one.tag;
    if (resend >= MOST_RESENDS || this.#gaveUp.has(keyOf(one))) return true;
    const isRejected = one.response?.learned?.create === 'rejected';
    if (operation === 'createCall' && (!isRejected || resend >= MOST_CREATE_RESENDS)) return true;
    if (this.#isLimited && statusOf(one) === LIMITED) return true;
    const wait = waitAfter(one);
    if (wait === null || this.#waitedInVain + wait > MOST_WAIT_IN_VAIN) return true;
    const purpose = purposeOf(one);
    return this.#waited[purpose] + wait > MOST_WAIT[purpose];
  }

  note(one: Exchange, next: Exchange | undefined): void {
    if (isSuccess(statusOf(one))) {
      this.#isLimited = false;
      this.#waitedInVain = 0;
    }
    if (next !== undefined) {
      const waited = waitedBetween(one, next);
      this.#waitedInVain += waited;
      this.#waited[purposeOf(one)] += waited;
    } else if (isRetryable(statusOf(one))) {
      this.#gaveUp.add(keyOf(one));
      this.#isLimited ||= one.tag.resend === MOST_RESENDS && statusOf(one) === LIMITED;
    }
  }
}

/** The first exchange, in the order of the record, that should have been sent again and was not. */
export function missingResend(exchanges: readonly Exchange[]): Exchange | undefined {
  const inOrder = exchanges.toSorted((a, b) => a.seq - b.seq);
  const replacements = new Map(inOrder.map((one) => [one.tag.replaces, one]));
  const patience = new Patience();
  return inOrder.find((one) => {
    const next = isRetryable(statusOf(one)) ? replacements.get(one.seq) : undefined;
    const isMissing = next === undefined && isRetryable(statusOf(one)) && !patience.mayGiveUp(one);
    patience.note(one, next);
    return isMissing;
  });
}
