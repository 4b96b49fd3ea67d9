/**
 * Which symptoms persist when a sequence is repeated: those of a network go away, those of a service stay.
 * The reasons are in docs/design/symptoms.md.
 */

import { TRIALS } from '../contract/limits.ts';
import { groupBy } from '../contract/lists.ts';
import { OF_LOCK_OUTS } from '../contract/statuses.ts';
import { LAST_REPETITION } from '../contract/waiting.ts';
import { type Exchange, UNSENT } from '../exchange/exchange.ts';
import { isAccepted, isRejected, isRetryable, statusOf, symptomOf } from './answer.ts';
import { countOfOperations } from './outage.ts';
import { isOfMoment } from './record.ts';

/** How often a sequence is repeated at most. */
export const MOST_REPETITIONS = LAST_REPETITION;

const isCheck = ({ tag }: Exchange): boolean => tag.role === 'health-check';

/** Whether an attempt met an outage: the health check right after it shows a symptom too. */
function metOutage(attempt: readonly Exchange[]): boolean {
  const check = attempt.find(isCheck);
  return check !== undefined && symptomOf(check) !== null;
}

/** A key for the place of a request in its sequence, equal in each repetition; `null` for a request that does not count. */
type PlaceOf = (exchange: Exchange) => string | null;

/** The request itself, without its body. */
export const requestPlace = ({ tag, request }: Exchange): string =>
  [tag.role, tag.about, tag.operation, request.credential, request.method, request.path].join('\n');

const OF_A_GATEWAY: readonly (number | null)[] = [null, 502, 504];

/** Whether the service itself must have written the answer; a gateway that limits connections writes 429, 502, 503 and 504. */
const isOfService = (exchange: Exchange): boolean =>
  !isRetryable(exchange) && !OF_A_GATEWAY.includes(statusOf(exchange));

/** All requests that were sent at the same moment share a place: chance decides which of them the service fails. */
const momentOf: PlaceOf = (exchange) => {
  const { operation, asks } = exchange.tag;
  return isOfService(exchange) && asks.some(isOfMoment) ? `${operation} at once` : null;
};

function symptomsByPlace(attempt: readonly Exchange[], where: PlaceOf): ReadonlyMap<string, string> {
  return new Map(
    attempt.flatMap((exchange) => {
      const symptom = isCheck(exchange) ? null : symptomOf(exchange);
      const place = where(exchange);
      return symptom === null || place === null ? [] : [[place, symptom] as const];
    }),
  );
}

const isTroubled = (one: Exchange): boolean => !isCheck(one) && symptomOf(one) !== null;

/** Whether the service wrote each answer that shows a symptom, so that no gateway is the reason. */
export function isTroubleOfService(attempt: readonly Exchange[]): boolean {
  const troubled = attempt.filter(isTroubled);
  return troubled.length > 0 && troubled.every(isOfService);
}

/**
 * Symptoms of the requests that showed a symptom in every attempt that met no outage; `attempts` include their health checks.
 * A symptom of a different request each time confirms nothing: a network that loses one answer in ten spoils most attempts of
 * a sequence of ten requests. `where` gives the place of a request.
 */
export function persistentSymptoms(
  attempts: readonly (readonly Exchange[])[],
  where: PlaceOf = requestPlace,
): ReadonlySet<string> {
  const shown = attempts.filter((attempt) => !metOutage(attempt)).map((attempt) => symptomsByPlace(attempt, where));
  if (shown.length < Math.min(attempts.length, TRIALS.rule)) return new Set();
  const places = [...(shown[0]?.keys() ?? [])].filter((place) => shown.every((attempt) => attempt.has(place)));
  return new Set(places.flatMap((place) => shown.flatMap((attempt) => attempt.get(place) ?? [])));
}

const isCall = ({ tag }: Exchange): boolean => tag.operation === 'createCall' && tag.role !== 'health-check';
const isUnknownCall = (exchange: Exchange): boolean => exchange.response?.learned?.create !== 'rejected';

const symptomsOf = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.map(symptomOf).filter((symptom) => symptom !== null);

const attemptsOf = (members: readonly Exchange[]): readonly (readonly Exchange[])[] => [
  ...groupBy(members, ({ tag }) => tag.attempt).values(),
];

/**
 * The symptoms that a run confirms; `sequences` holds the exchanges of each sequence with its health checks, `inOutage` those
 * with a symptom that came during an outage. Confirmed is:
 * - what a request showed in each of six attempts;
 * - that none of two create calls or more got a complete response, if no other symptom of the run went away;
 * - what some request of a moment showed each time, if no other symptom that the service wrote went away;
 * - what all create calls with something in common were answered, two at least, if no other symptom of the run went away (if
 *   the service wrote their answers, responses lost elsewhere do not count).
 */
export function confirmedSymptoms(
  sequences: readonly (readonly Exchange[])[],
  inOutage: ReadonlySet<Exchange>,
): ReadonlySet<string> {
  const troubled = sequences.filter((members) => members.some(isTroubled));
  const all = troubled.flat().filter((one) => !isCheck(one));
  const repeated = troubled.map(attemptsOf).filter((attempts) => attempts.length > MOST_REPETITIONS);
  const confirmed = new Set<string>();
  // Believes the symptoms unless another symptom of the exchanges in `among` went away.
  const believe = (symptoms: readonly string[], among: readonly Exchange[]): void => {
    const isKnown = (symptom: string): boolean => confirmed.has(symptom) || symptoms.includes(symptom);
    if (symptomsOf(among).every(isKnown)) for (const one of symptoms) confirmed.add(one);
  };
  const persistent = (where?: PlaceOf) => repeated.flatMap((attempts) => [...persistentSymptoms(attempts, where)]);
  believe(persistent(), []);
  believe(symptomsOf(lostCalls(sequences.flat())), all);
  believe(persistent(momentOf), all.filter(isOfService));
  for (const calls of callsAlike(sequences.flat().filter((one) => isCall(one) && !inOutage.has(one)))) {
    const isWritten = calls.every(isOfService);
    const others = all.filter((one) => !calls.includes(one) && (!isWritten || one.failure === null));
    believe(symptomsOf(calls.slice(0, 1)), others);
  }
  return confirmed;
}

/**
 * Create calls that have something in common and all show one symptom, two at least: that they are calls, their sequence, or a
 * value of their bodies. They cannot be repeated at will, since each may have placed a call, but each is a request of its own.
 * A network may lose two, but writes no answer: of lost calls, those of one sequence alone count. What came during an outage
 * says nothing, and is left out: of three calls that got a gateway's 503 within 7 s, two had a value of their bodies in common.
 */
function callsAlike(all: readonly Exchange[]): readonly (readonly Exchange[])[] {
  const groups = groupBy(
    all.flatMap((call) => traitsOf(call).map((trait) => ({ ...trait, call }))),
    ({ of, key }) => `${of}\n${key}`,
  );
  return [...groups.values()].flatMap((group) => {
    const calls = group.map(({ call }) => call);
    const isAlike = calls.length > 1 && new Set(calls.map(symptomOf)).size === 1 && calls.some(isTroubled);
    const isTelling = group[0].of === 'sequence' || calls.every(({ failure }) => failure === null);
    return isAlike && isTelling && calls.some(isUnknownCall) ? [calls] : [];
  });
}

/** What a create call can have in common with another. */
interface Trait {
  readonly of: 'operation' | 'sequence' | 'body';
  readonly key: string;
}

/** A valid call that closes a sequence has only its sequence in common with the one before it. */
const traitsOf = (call: Exchange): readonly Trait[] => [
  { of: 'operation', key: '' },
  { of: 'sequence', key: `${call.tag.sequence}\n${call.tag.role}` },
  ...valuesIn(call).map((key) => ({ of: 'body', key }) as const),
];

/**
 * The create calls without a complete response, two at least, where none had one that accepted it (conformance model,
 * section 0, rule 6): they cannot be repeated, but a server that cuts connections after 30 s cuts each of them.
 */
export function lostCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  const calls = exchanges.filter(isCall);
  const lost = calls.filter(({ failure }) => failure !== null && !UNSENT.has(failure.kind));
  return lost.length > 1 && !calls.some(isAccepted) ? lost : [];
}

const OF_ANOTHER: readonly (number | null)[] = [403, 404];

/**
 * The first hang-up of each call, two at least, where each shows a symptom. It has ended the call, so that none can be repeated:
 * a service that answers each with 204 and a body had no finding. What only 403 or 404 came to is a call of another caller.
 */
export function lostHangUps(exchanges: readonly Exchange[]): readonly Exchange[] {
  const ours = exchanges.filter(
    ({ tag, request }) =>
      tag.operation === 'hangUpCall' &&
      tag.ids === 'named' &&
      ['valid', 'other-organization'].includes(request.credential),
  );
  const byCall = groupBy(
    ours,
    ({ request }) => `${request.credential} ${request.path.toLowerCase().replace(/\/$/, '')}`,
  );
  const known = [...byCall.values()].filter((group) => !group.every((one) => OF_ANOTHER.includes(statusOf(one))));
  const firsts = known.map(([first]) => first);
  return firsts.length > 1 && firsts.every(isTroubled) ? firsts : [];
}

/** The values in the body of a request as keys: pointer, type, digest, and whether it is empty. */
function valuesIn({ request: { body } }: Exchange): readonly string[] {
  const members = body?.members ?? [];
  return members.map(({ pointer, type, digest }) => {
    const isEmpty = !members.some((other) => other.pointer.startsWith(`${pointer}/`));
    return [pointer, type, digest ?? '', isEmpty].join('\n');
  });
}

/**
 * The error pages that the service itself writes, even if repetition does not show them again: one of five instances behind a
 * load balancer lacks the error handler, or a rate limiter answers 429. A network writes no 4xx, so such pages on three
 * operations settle it. Those of an outage do not count (404 from an ingress without a backend), nor those of a lock-out
 * (401 and 403). `symptoms` are the exchanges with a symptom, `inOutage` those among them that came during an outage.
 */
export function pagesOfService(symptoms: readonly Exchange[], inOutage: ReadonlySet<Exchange>): readonly Exchange[] {
  const pages = symptoms.filter(isRejected);
  const telling = pages.filter((one) => !inOutage.has(one) && !OF_LOCK_OUTS.has(statusOf(one)));
  return countOfOperations(telling) < TRIALS.rule ? [] : pages;
}
