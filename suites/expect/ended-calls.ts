/** What a hang-up of ours says of a call that something else may have ended (section 5). */

import { TRIALS } from '../../src/contract/limits.ts';
import { plainPath } from '../../src/contract/path-text.ts';
import { type Exchange, endOf } from '../../src/exchange/exchange.ts';
import { answerPhrase, isAccepted, isOurs, isRejected, isRetryable, symptomOf } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';

const isHangUp = ({ tag }: Exchange): boolean =>
  tag.operation === 'hangUpCall' && tag.documented && tag.ids === 'named';

/** The call that a hang-up is for, in any spelling of its path. */
export const callInPath = ({ request }: Exchange): string => plainPath(request.path);

/** Whether our hang-up of that call was accepted, then or later: until then it was open. */
const isHungUpByUs = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some(
    (sent) => isHangUp(sent) && isOurs(sent) && isAccepted(sent) && callInPath(sent) === callInPath(exchange),
  );

/** The hang-up that ended each call, if nothing else can have ended it first: the accepted one, otherwise the first. */
function untouchedHangUps(evidence: Evidence): readonly Exchange[] {
  const byCall = new Map<string, Exchange>();
  // Another credential may have ended a call, and so may another method that was accepted.
  const mayEnd = (exchange: Exchange): boolean =>
    (isHangUp(exchange) || exchange.tag.role === 'before') && !isRetryable(exchange);
  for (const exchange of evidence.exchanges.filter(mayEnd)) {
    const before = byCall.get(callInPath(exchange));
    // Of two hang-ups at once only one may be accepted, and a call may be known late.
    if (before === undefined || (isOurs(before) && !isAccepted(before) && isAccepted(exchange)))
      byCall.set(callInPath(exchange), exchange);
  }
  return [...byCall.values()].filter((hangUp) => isHangUp(hangUp) && isOurs(hangUp));
}

/**
 * What our own hang-up right behind a rejected one says: if it finds the call ended, although no other call of the run
 * ended by itself, the rejection came after the effect. `null` if it was still open, or nothing was sent.
 */
export function endedBefore(hangUp: Exchange | undefined, evidence: Evidence): Opinion | null {
  if (hangUp === undefined || isHungUpByUs(hangUp, evidence)) return null;
  // At another spelling of the id, which has a finding of its own.
  const isOver = (sent: Exchange): boolean =>
    isHangUp(sent) && isAccepted(sent) && callInPath(sent) === callInPath(hangUp) && sent.seq < hangUp.seq;
  if (evidence.exchanges.some(isOver)) return none('another hang-up of the call was accepted');
  // A gateway that loses the answer of our hang-up says nothing about the call.
  if (symptomOf(hangUp) !== null && !evidence.isConfirmed(hangUp))
    return none('the answer to our own hang-up was lost');
  const untouched = untouchedHangUps(evidence);
  const areLasting = untouched.length >= TRIALS.rule && untouched.every(isAccepted);
  if (!areLasting) return none('calls of this target may end by themselves');
  return found('our own hang-up right behind it', 'a call that is still open', answerPhrase(hangUp));
}

/** Whether each hang-up of a call that was hung up before was rejected: only then an accepted one found the call open. */
function areEndedCallsRejected(evidence: Evidence): boolean {
  const hangUps = evidence.exchanges.filter((sent) => isHangUp(sent) && isOurs(sent) && !isRetryable(sent));
  const isBefore = (first: Exchange, sent: Exchange): boolean => first !== sent && endOf(first) <= sent.at;
  const again = hangUps.filter((sent) =>
    hangUps.some((first) => isAccepted(first) && callInPath(first) === callInPath(sent) && isBefore(first, sent)),
  );
  return again.length > 0 && again.every(isRejected);
}

/**
 * What our own hang-up says of a request before it that must not end the call; `all` are our hang-ups of every call on which that
 * was tried, since one call may have ended by itself.
 */
export function leavesCallOpen(exchange: Exchange, all: readonly Exchange[], evidence: Evidence): Opinion {
  const ended = endedBefore(exchange, evidence);
  const isEndedAgain = all.some(
    (hangUp) => callInPath(hangUp) !== callInPath(exchange) && !isHungUpByUs(hangUp, evidence),
  );
  if (ended?.kind === 'finding' && !isEndedAgain) return none('the call may have ended by itself');
  if (ended !== null) return ended;
  return areEndedCallsRejected(evidence) ? PASS : none('this target may accept the hang-up of a call that has ended');
}
