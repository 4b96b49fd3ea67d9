/** What rejected hang-ups and assignments did, as later answers of the run show (section 5). */

import { plainPath } from '../../src/client/request-path.ts';
import { TRIALS } from '../../src/contract/limits.ts';
import { type Exchange, endOf } from '../../src/exchange/exchange.ts';
import { answerPhrase, isAccepted, isOurs, isRejected, isRetryable, symptomOf } from '../../src/verdict/answer.ts';
import type { Evidence } from '../../src/verdict/evidence.ts';
import { found, none, type Opinion, PASS } from '../../src/verdict/opinion.ts';
import { jsonOf } from '../../src/verdict/sibling.ts';
import { unchanged } from './shown.ts';

const isHangUp = ({ tag }: Exchange): boolean =>
  tag.operation === 'hangUpCall' && tag.documented && tag.ids === 'named';

/** The call that a hang-up is for, in any spelling of its path. */
const callOf = ({ request }: Exchange): string => plainPath(request.path);

/** Whether our hang-up of that call was accepted, then or later: until then it was open. */
const isHungUpByUs = (exchange: Exchange, { exchanges }: Evidence): boolean =>
  exchanges.some((one) => isHangUp(one) && isOurs(one) && isAccepted(one) && callOf(one) === callOf(exchange));

/** The hang-up that ended each call, if nothing else can have ended it first: the accepted one, otherwise the first. */
function untouchedHangUps(evidence: Evidence): readonly Exchange[] {
  const byCall = new Map<string, Exchange>();
  // Another credential may have ended a call, and so may another method that was accepted.
  const mayEnd = (one: Exchange): boolean => (isHangUp(one) || one.tag.role === 'before') && !isRetryable(one);
  for (const one of evidence.exchanges.filter(mayEnd)) {
    const before = byCall.get(callOf(one));
    // Of two hang-ups at once only one may be accepted, and a call may be known late.
    if (before === undefined || (isOurs(before) && !isAccepted(before) && isAccepted(one)))
      byCall.set(callOf(one), one);
  }
  return [...byCall.values()].filter((one) => isHangUp(one) && isOurs(one));
}

/**
 * What our own hang-up right behind a rejected one says: if it finds the call ended, although no other call of the run
 * ended by itself, the rejection came after the effect. `null` if it was still open, or nothing was sent.
 */
export function endedBefore(own: Exchange | undefined, evidence: Evidence): Opinion | null {
  if (own === undefined || isHungUpByUs(own, evidence)) return null;
  // A gateway that loses the answer of our hang-up says nothing about the call.
  if (symptomOf(own) !== null && !evidence.isConfirmed(own)) return none('the answer to our own hang-up was lost');
  const others = untouchedHangUps(evidence);
  const areLasting = others.length >= TRIALS.rule && others.every(isAccepted);
  if (!areLasting) return none('calls of this target may end by themselves');
  return found('our own hang-up right behind it', 'a call that is still open', answerPhrase(own));
}

/** Whether each hang-up of a call that was hung up before was rejected: only then an accepted one found the call open. */
function areEndedCallsRejected(evidence: Evidence): boolean {
  const hangUps = evidence.exchanges.filter((one) => isHangUp(one) && isOurs(one) && !isRetryable(one));
  const isAgain = (one: Exchange): boolean =>
    hangUps.some(
      (first) => isAccepted(first) && callOf(first) === callOf(one) && endOf(first) <= one.at && first !== one,
    );
  const again = hangUps.filter(isAgain);
  return again.length > 0 && again.every(isRejected);
}

/** Whether our hang-up of another call, in the same sequence, found that one ended, too. */
const isEndedAgain = (own: Exchange, evidence: Evidence): boolean =>
  evidence
    .siblings(own)
    .some((one) => isHangUp(one) && isOurs(one) && callOf(one) !== callOf(own) && !isHungUpByUs(one, evidence));

/** What our own hang-up says of a request before it that must not end the call. */
export function leavesCallOpen(own: Exchange | undefined, evidence: Evidence): Opinion {
  if (own === undefined) return none('our own hang-up was not sent');
  const ended = endedBefore(own, evidence);
  if (ended?.kind === 'finding' && !isEndedAgain(own, evidence)) return none('the call may have ended by itself');
  if (ended !== null) return ended;
  return areEndedCallsRejected(evidence) ? PASS : none('no answer of this target tells an ended call from an open one');
}

/** Judged by our own hang-up right behind a rejected one. */
export function callUnchanged(exchange: Exchange, evidence: Evidence): Opinion {
  if (!isRejected(exchange) || isRetryable(exchange)) return none(answerPhrase(exchange));
  const own = evidence.sibling(exchange, 'control');
  const isHungUp = (one: Exchange): boolean =>
    one.tag.operation === 'hangUpCall' && callOf(one) === callOf(exchange) && isAccepted(one);
  const isOver = evidence.exchanges.some((one) => one.seq < (own?.seq ?? 0) && isHungUp(one));
  return isOver ? none('another hang-up of the call was accepted') : leavesCallOpen(own, evidence);
}

const connectionIn = (exchange: Exchange): unknown => {
  const id: unknown = Object(jsonOf(exchange)).carrier_connection_id;
  return typeof id === 'string' ? id.toLowerCase() : id;
};
const shownConnection = ({ response }: Exchange): string | null | undefined =>
  response?.learned?.assignment?.toLowerCase() ?? response?.learned?.assignment;

/**
 * Judged by a list after rejected assignments: it shows the connection of the last accepted one, as an earlier list of the
 * run did. A list that lags shows a connection that the number had before, which proves nothing.
 */
export function assignmentUnchanged(reading: Exchange, evidence: Evidence): Opinion {
  const { exchanges } = evidence;
  const before = exchanges.filter(({ seq }) => seq < reading.seq);
  const assignments = before.filter(({ tag }) => tag.operation === 'assignNumber' && tag.ids === 'named');
  const last = assignments.findLast((one) => isOurs(one) && isAccepted(one));
  const since = assignments.filter(({ seq }) => last !== undefined && seq > last.seq);
  if (last === undefined || since.length === 0 || !since.every(isRejected)) {
    return none('no assignment was rejected after an accepted one');
  }
  if (since.every((one) => connectionIn(one) === connectionIn(last))) {
    return none('no rejected assignment named another carrier connection');
  }
  const shown = shownConnection(reading);
  if (shown === undefined) return none('the list does not show the carrier connection of the number');
  const earlier = before.map(shownConnection);
  if (!earlier.some((one) => one === connectionIn(last))) {
    return none('no earlier list showed the carrier connection that was assigned');
  }
  if (shown === connectionIn(last)) return unchanged(reading, since.at(-1) ?? last, evidence);
  if (earlier.includes(shown)) return none('the list shows a carrier connection that the number had before');
  const actual = shown === null ? 'none' : 'another one';
  return found('/carrier_connection_id of the number', 'the connection that was assigned', actual);
}
