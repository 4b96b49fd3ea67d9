/** Rejections during a lock-out, which are no evidence (conformance model, sections 1 and 3). */

import { OF_LOCK_OUTS } from '../contract/statuses.ts';
import { type Exchange, endOf } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isRejected, isRetryable, statusOf } from './answer.ts';

/** What helps where lock-outs leave questions open. */
export const LOCK_OUT_REMEDY = 'set --credential-pause or raise --max-wait';

/** Answers to the valid credential during a lock-out, in the order of sending: each request was sent again after it. */
export function lockOutsIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  const resent = resentIn(exchanges);
  return exchanges.filter(
    (one) =>
      isOurs(one) &&
      resent.has(one.seq) &&
      OF_LOCK_OUTS.has(statusOf(one)) &&
      !isDisproved(one, resent.get(one.seq), exchanges),
  );
}

const resentIn = (exchanges: readonly Exchange[]): ReadonlyMap<number, Exchange> =>
  new Map(exchanges.flatMap((one) => (one.tag.replaces === undefined ? [] : [[one.tag.replaces, one]])));

/** Whether the credential was accepted between two equal rejections of a request: then no lock-out was the reason. */
function isDisproved(one: Exchange, again: Exchange | undefined, exchanges: readonly Exchange[]): boolean {
  if (again === undefined || statusOf(again) !== statusOf(one)) return false;
  return exchanges.some((own) => own.seq > one.seq && own.seq < again.seq && isOurs(own) && isAccepted(own));
}

/** Milliseconds of the longest wait for the end of a lock-out. */
export function longestLockOut(exchanges: readonly Exchange[]): number {
  const resent = resentIn(exchanges);
  return Math.max(0, ...lockOutsIn(exchanges).map((one) => (resent.get(one.seq)?.at ?? 0) - endOf(one)));
}

/**
 * Rejections that may come from a lock-out: they have its status, and it lies between the other answers to our credential
 * before and after them.
 */
export function rejectionsInLockOuts(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const lockOuts = lockOutsIn(exchanges);
  const ours = exchanges.filter((one) => isOurs(one) && !isRetryable(one) && (isAccepted(one) || isRejected(one)));
  const isDoubtful = (one: Exchange): boolean => {
    const alike = lockOuts.filter((lockOut) => statusOf(lockOut) === statusOf(one));
    if (alike.length === 0 || alike.includes(one)) return false;
    const clear = ours.filter((own) => statusOf(own) !== statusOf(one));
    const before = clear.findLast((own) => own.seq < one.seq && endOf(own) <= one.at);
    const after = clear.find((own) => own.seq > one.seq && own.at >= endOf(one));
    return alike.some(({ seq }) => seq > (before?.seq ?? -1) && seq < (after?.seq ?? Infinity));
  };
  return new Set(exchanges.filter(isDoubtful));
}
