/** What our hang-up shows about a call that something else may have ended (section 5). */

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

/** Whether our hang-up of that call was accepted, then or later, so that the call was open until then. */
const isHungUpByUs = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some(
    (sent) => isHangUp(sent) && isOurs(sent) && isAccepted(sent) && callInPath(sent) === callInPath(exchange),
  );

/** The hang-up that ended each call, unless something else may have: the accepted one, otherwise the first. */
function untouchedHangUps(evidence: Evidence): readonly Exchange[] {
  const byCall = new Map<string, Exchange>();
  // Another credential may have ended a call, and so may another method that was accepted.
  const mayEnd = (exchange: Exchange): boolean =>
    (isHangUp(exchange) || exchange.tag.role === 'before') && !isRetryable(exchange);
  for (const exchange of evidence.exchanges.filter(mayEnd)) {
    const before = byCall.get(callInPath(exchange));
    // Of two simultaneous hang-ups only one may be accepted, and a target may learn of a call late.
    if (before === undefined || (isOurs(before) && !isAccepted(before) && isAccepted(exchange)))
      byCall.set(callInPath(exchange), exchange);
  }
  return [...byCall.values()].filter((hangUp) => isHangUp(hangUp) && isOurs(hangUp));
}

/**
 * What our hang-up right after a rejected one shows: if it finds the call ended, although no other call of the run
 * ended by itself, the rejected one took effect. `null` if the call was still open, or nothing was sent.
 */
export function endedBefore(hangUp: Exchange | undefined, evidence: Evidence): Opinion | null {
  if (hangUp === undefined || isHungUpByUs(hangUp, evidence)) return null;
  // At another spelling of the id, which has its own finding.
  const isOver = (sent: Exchange): boolean =>
    isHangUp(sent) && isAccepted(sent) && callInPath(sent) === callInPath(hangUp) && sent.seq < hangUp.seq;
  if (evidence.exchanges.some(isOver)) return none('another hang-up of the call was accepted');
  // If a gateway loses the answer to our hang-up, it says nothing about the call.
  if (symptomOf(hangUp) !== null && !evidence.isConfirmed(hangUp))
    return none('the answer to our own hang-up was lost');
  const untouched = untouchedHangUps(evidence);
  const areLasting = untouched.length >= TRIALS.rule && untouched.every(isAccepted);
  if (!areLasting) return none('calls of this target may end by themselves');
  return found('our own hang-up right behind it', 'a call that is still open', answerPhrase(hangUp));
}

/** Whether every repeated hang-up of a call was rejected: only then an accepted one shows that the call was open. */
function areEndedCallsRejected(evidence: Evidence): boolean {
  const hangUps = evidence.exchanges.filter((sent) => isHangUp(sent) && isOurs(sent) && !isRetryable(sent));
  const isBefore = (first: Exchange, sent: Exchange): boolean => first !== sent && endOf(first) <= sent.at;
  const again = hangUps.filter((sent) =>
    hangUps.some((first) => isAccepted(first) && callInPath(first) === callInPath(sent) && isBefore(first, sent)),
  );
  return again.length > 0 && again.every(isRejected);
}

/**
 * What our hang-up shows about an earlier request that must not end the call; `all` are our hang-ups of every call on
 * which it was tried, since one call may have ended by itself.
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
