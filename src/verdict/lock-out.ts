/** Rejections during a lock-out, which are no evidence (conformance model, sections 1 and 3). */

import { type Exchange, endOf } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isRejected, isRetryable, statusOf, wordingOf } from './answer.ts';

/** Statuses with which a target may answer the valid credential of a sender that it has locked out. */
export const LOCK_OUT_STATUSES: readonly (number | null)[] = [401, 403];

/** What helps where lock-outs leave questions open. */
export const LOCK_OUT_REMEDY = 'set --credential-pause or raise --max-wait';

const inOrder = (exchanges: readonly Exchange[]): readonly Exchange[] => exchanges.toSorted((a, b) => a.seq - b.seq);

/** Answers to the valid credential during a lock-out, in the order of sending: each request was sent again after it. */
export function lockOutsIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  const resent = resentIn(exchanges);
  return inOrder(exchanges).filter(
    (one) =>
      isOurs(one) &&
      resent.has(one.seq) &&
      LOCK_OUT_STATUSES.includes(statusOf(one)) &&
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
 * Rejections that may come from a lock-out: they have its status, and a lock-out lies between the answers to our credential
 * before and after them. Two kinds count as evidence all the same: the first request with another credential after an answer
 * without a lock-out, since nothing was sent that could have caused one, and a rejection worded like rejections that came without a lock-out.
 */
export function rejectionsInLockOuts(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const lockOuts = lockOutsIn(exchanges);
  if (lockOuts.length === 0) return new Set();
  const others = exchanges.filter((one) => !isOurs(one));
  const ours = inOrder(exchanges).filter(
    (one) => isOurs(one) && !isRetryable(one) && (isAccepted(one) || isRejected(one)),
  );
  const isDoubtful = (one: Exchange): boolean => {
    const alike = lockOuts.filter((lockOut) => statusOf(lockOut) === statusOf(one));
    if (alike.length === 0 || alike.includes(one)) return false;
    const clear = ours.filter((own) => statusOf(own) !== statusOf(one));
    const before = clear.findLast((own) => own.seq < one.seq && endOf(own) <= one.at);
    const after = clear.find((own) => own.seq > one.seq && own.at >= endOf(one));
    if (!alike.some(({ seq }) => seq > (before?.seq ?? -1) && seq < (after?.seq ?? Infinity))) return false;
    // Our own credential was locked out right behind it, whatever brought that about.
    if (isOurs(one)) return true;
    const mayBringItAbout = (other: Exchange): boolean =>
      other !== one && isServedFirst(other, one) && (before === undefined || isServedFirst(before, other));
    return others.some(mayBringItAbout);
  };
  const doubtful = new Set(exchanges.filter(isDoubtful));
  const wordings = new Set(others.filter((one) => isRejected(one) && !doubtful.has(one)).map(wordingOf));
  for (const lockOut of lockOuts) wordings.delete(wordingOf(lockOut));
  return new Set([...doubtful].filter((one) => !wordings.has(wordingOf(one))));
}

/** Whether the first may have been served before the second; of two requests under way together, either may. */
const isServedFirst = (first: Exchange, second: Exchange): boolean =>
  first.seq < second.seq || first.at < endOf(second);
