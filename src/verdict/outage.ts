/**
 * Outages of the target: requests after which it stopped responding, read from the health checks that followed them
 * (conformance model, section 5, Order).
 */

import { SHOWN, TRIALS } from '../contract/limits.ts';
import { firstOf, groupBy } from '../contract/lists.ts';
import { type Exchange, endOf, isUnanswered } from '../exchange/exchange.ts';
import { operationOf, statusOf } from './answer.ts';

/** The description of the health checks that follow a request without a response. */
export const OUTAGE_CHECK = 'a health check after no response';

/** Whether the request never left, since no connection was made. */
export const isUnsent = ({ failure }: Exchange): boolean => failure?.kind === 'refused';

/** Whether health checks in a row show an outage: a connection was refused, or three of them got no response. */
export function showsOutage(checks: readonly Exchange[]): boolean {
  const unanswered = checks.filter(isUnanswered);
  return unanswered.length >= TRIALS.rule || unanswered.some(isUnsent);
}

const isCheck = ({ tag }: Exchange): boolean => tag.role === 'health-check' && tag.about === OUTAGE_CHECK;
const attemptOf = ({ tag }: Exchange): string => `${tag.attempt} ${tag.sequence}`;
/** Whether a request went out and got no response. */
const isLost = (one: Exchange): boolean => isUnanswered(one) && !isUnsent(one) && !isCheck(one);

/**
 * Requests after which the target stopped responding, and again when they were sent once more; each sending. The exchanges are in
 * the order of sending; `sameRequest` gives the same text each time a request is sent.
 */
export function crashesIn(
  exchanges: readonly Exchange[],
  sameRequest: (exchange: Exchange) => string,
): ReadonlySet<Exchange> {
  const attempts = groupBy(exchanges, attemptOf);
  const isFall = (one: Exchange): boolean => showsOutage(checksAfter(one, attempts.get(attemptOf(one)) ?? []));
  const falls = [...groupBy(exchanges.filter(isLost), sameRequest).values()].map((sent) => sent.filter(isFall));
  return new Set(falls.filter((sent) => sent.length > 1).flat());
}

/** Names the requests after which the target did not come back, as the end of a sentence; empty if it did. */
export function suspectsPhrase(exchanges: readonly Exchange[]): string {
  const suspects = suspectsIn(exchanges);
  const [first, ...more] = suspects;
  if (first === undefined) return '';
  const names = firstOf(suspects.map(requestName), SHOWN.first);
  if (!isUnanswered(first)) return `; the last requests that it answered were ${names}`;
  return `; it went down during ${more.length === 0 ? '' : 'one of these requests: '}${names}`;
}

/** The health checks that follow an exchange in its sequence, up to the first that was answered. */
function checksAfter({ seq }: Exchange, attempt: readonly Exchange[]): readonly Exchange[] {
  const after = attempt.filter((one) => one.seq > seq);
  const end = after.findIndex((one) => !isCheck(one) || !isUnanswered(one));
  return end < 0 ? after : after.slice(0, end);
}

/**
 * The suspects, if the last health check of an attempt was not answered: requests without a response after which nothing was
 * answered or, without such requests, the last that were answered. A request is cleared if a later request of its sequence,
 * or any request that was sent after it ended, was answered.
 */
export function suspectsIn(exchanges: readonly Exchange[]): readonly Exchange[] {
  const attempts = groupBy(exchanges, attemptOf);
  const last = [...attempts.values()].map((own) => own.findLast(isCheck)).find((one) => one && isUnanswered(one));
  if (last === undefined) return [];
  const before = exchanges.filter((one) => one.seq < last.seq);
  const answered = before.filter((one) => !isUnanswered(one));
  const isCleared = (suspect: Exchange): boolean =>
    answered.some((one) => one.seq > suspect.seq && (one.at > endOf(suspect) || attemptOf(one) === attemptOf(suspect)));
  const open = before.filter((one) => isLost(one) && !isCleared(one));
  const latest = answered.toSorted((a, b) => endOf(a) - endOf(b) || a.seq - b.seq);
  return open.length > 0 ? open : latest.slice(-SHOWN.first);
}

function requestName({ seq, request: { method, path }, tag }: Exchange): string {
  const shown = path.length > SHOWN.word ? `${path.slice(0, SHOWN.word)}…` : path;
  return `${method} ${shown} (request ${seq}: ${tag.about})`;
}

/** How many operations the exchanges are of. */
export const countOfOperations = (exchanges: readonly Exchange[]): number => new Set(exchanges.map(operationOf)).size;

/**
 * Symptoms that several operations show in one unbroken stretch of time are one outage. Only a response to what was sent
 * since its beginning ends it.
 */
export function stretchesOf(symptoms: readonly Exchange[], all: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const shown = new Set(symptoms);
  const stretches: Exchange[][] = [];
  let begun = Number.POSITIVE_INFINITY;
  for (const one of all.toSorted((a, b) => endOf(a) - endOf(b) || a.seq - b.seq)) {
    if (shown.has(one)) {
      if (begun === Number.POSITIVE_INFINITY) stretches.push([]);
      begun = Math.min(begun, endOf(one));
      stretches.at(-1)?.push(one);
    } else if (one.at >= begun && (statusOf(one) ?? 500) < 500) begun = Number.POSITIVE_INFINITY;
  }
  return stretches
    .filter((stretch) => countOfOperations(stretch) > 1)
    .map((one) => one.toSorted((a, b) => a.seq - b.seq));
}

/** A stretch in a phrase. */
export function stretchPhrase(stretch: readonly Exchange[]): string {
  const from = Math.min(...stretch.map(({ at }) => at));
  const lasted = Math.max(...stretch.map(endOf)) - from;
  return `outage of ${Math.max(1, Math.round(lasted / 1_000))} s on ${countOfOperations(stretch)} operations`;
}
