/** Names the requests after which the target went down, and its outages, in words (conformance model, section 5). */

import { SHOWN } from '../contract/limits.ts';
import { firstOf, groupBy } from '../contract/lists.ts';
import { describedIn, type Exchange, endOf, isUnanswered } from '../exchange/exchange.ts';
import { isAccepted, isOurs, isServerFailure, operationOf } from './answer.ts';

const isCheck = ({ tag }: Exchange): boolean => tag.role === 'health-check';
const attemptOf = ({ tag }: Exchange): string => `${tag.attempt} ${tag.sequence}`;
/** Whether a request went out and got no response. */
const isWithoutResponse = (exchange: Exchange): boolean =>
  isUnanswered(exchange) && exchange.failure?.kind !== 'refused' && !isCheck(exchange);

/** Names the requests after which the target did not come back, as the end of a sentence; empty if it did. */
export function suspectsPhrase(exchanges: readonly Exchange[]): string {
  const suspects = suspectsIn(exchanges);
  const [answered, lost] = [false, true].map((is) => suspects.filter((exchange) => isUnanswered(exchange) === is));
  const namesOf = (some: readonly Exchange[] = []): string => firstOf(some.map(requestName), SHOWN.first);
  if (suspects.length === 0) return '';
  if (lost?.length === 0) return `; the last requests that it answered were ${namesOf(answered)}`;
  const before = answered?.length === 0 ? '' : `, right after it answered ${namesOf(answered)}`;
  return `; it went down during ${lost?.length === 1 ? '' : 'one of these requests: '}${namesOf(lost)}${before}`;
}

/**
 * The suspects, if the last health check of an attempt was not answered: the last request that was answered (an
 * unhandled rejection ends Node after the answer), and the requests without a response that nothing cleared; without
 * such requests, the last that were answered. A request is cleared if a later request of its sequence, or any request
 * that was sent after it ended, was answered.
 */
export function suspectsIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  const attempts = groupBy(exchanges, attemptOf);
  const last = [...attempts.values()]
    .map((attempt) => attempt.findLast(isCheck))
    .find((check) => check && isUnanswered(check));
  if (last === undefined) return [];
  const before = exchanges.filter((exchange) => exchange.seq < last.seq);
  const answered = before.filter((exchange) => !isUnanswered(exchange));
  const isCleared = (suspect: Exchange): boolean =>
    answered.some(
      (sent) => sent.seq > suspect.seq && (sent.at > endOf(suspect) || attemptOf(sent) === attemptOf(suspect)),
    );
  const open = before.filter((exchange) => isWithoutResponse(exchange) && !isCleared(exchange));
  const latest = answered.toSorted((a, b) => endOf(a) - endOf(b));
  return open.length > 0 ? [...latest.slice(-1), ...open] : latest.slice(-SHOWN.first);
}

/**
 * `; from request 822 (PATCH …) on, 11 operations got a 5xx to every valid request`; empty if one operation or none did. The
 * request is the first to get a 5xx once none of them accepted any more. A lock that Rust had poisoned over one name, and a
 * transaction left open, came out as 13 causes, the first with another value on another operation.
 */
export function brokenPhrase(exchanges: readonly Exchange[]): string {
  const sent = exchanges.toSorted((a, b) => a.seq - b.seq);
  const accepted = [...groupBy(sent.filter(isOurs), operationOf).values()].flatMap((ofOperation) => {
    const last = ofOperation.findLastIndex(isAccepted);
    const valid = ofOperation.slice(last + 1).filter(({ tag }) => tag.control || tag.role === 'health-check');
    const end = ofOperation[last];
    return end !== undefined && valid.length > 0 && valid.every(isServerFailure) ? [end.seq] : [];
  });
  const first = sent.find((exchange) => exchange.seq > Math.max(...accepted) && isServerFailure(exchange));
  if (accepted.length < 2 || first === undefined) return '';
  return `; from ${requestName(first)} on, ${accepted.length} operations got a 5xx to every valid request`;
}

function requestName({ seq, request: { method, path }, tag }: Exchange): string {
  const shown = path.length > SHOWN.word ? `${path.slice(0, SHOWN.word)}…` : path;
  return `${method} ${shown} (request ${seq}: ${describedIn(tag)})`;
}

/** How many operations the exchanges concern. */
export const countOfOperations = (exchanges: readonly Exchange[]): number => new Set(exchanges.map(operationOf)).size;

/** An outage in a phrase. */
export function outagePhrase(symptoms: readonly Exchange[]): string {
  const from = Math.min(...symptoms.map(({ at }) => at));
  const lasted = Math.max(...symptoms.map(endOf)) - from;
  return `outage of ${Math.max(1, Math.round(lasted / 1_000))} s on ${countOfOperations(symptoms)} operations`;
}
