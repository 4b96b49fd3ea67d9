/**
 * Which symptoms persist when a sequence is repeated: those of a network go away, those of a service stay.
 * The reasons are in docs/design/symptoms.md.
 */

import { groupBy } from '../contract/lists.ts';
import { LAST_REPETITION } from '../contract/waiting.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isAccepted, isRetryable, statusOf, symptomOf, UNREACHED } from './answer.ts';
import { atOnceIn } from './record.ts';

/** How often a sequence is repeated at most. */
export const MOST_REPETITIONS = LAST_REPETITION;
/**
 * A symptom is believed if it shows in every attempt that met no outage. At least this many attempts must be left, or both if
 * there were only two.
 */
const FEWEST_CLEAR = 3;

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
  const isOfMoment = isOfService(exchange) && asks.some(({ variation }) => atOnceIn(variation) > 1);
  return isOfMoment ? `${operation} at once` : null;
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
  if (shown.length < Math.min(attempts.length, FEWEST_CLEAR)) return new Set();
  const places = [...(shown[0]?.keys() ?? [])].filter((place) => shown.every((attempt) => attempt.has(place)));
  return new Set(places.flatMap((place) => shown.flatMap((attempt) => attempt.get(place) ?? [])));
}

interface Repetition {
  /** Its requests, without the health checks between them. */
  readonly own: readonly Exchange[];
  /** Symptoms that persisted through all repetitions; empty if there were fewer. */
  readonly full: readonly string[];
  /** Symptoms that some request of a moment showed in all repetitions. */
  readonly ofMoments: readonly string[];
  /** Symptoms that persisted in a sequence with a create call of unknown outcome, which is sent only twice. */
  readonly short: readonly string[];
}

const isCall = ({ tag }: Exchange): boolean => tag.operation === 'createCall' && tag.role !== 'health-check';
const isUnknownCall = (exchange: Exchange): boolean =>
  isCall(exchange) && exchange.response?.learned?.create !== 'rejected';

const symptomsOf = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.map(symptomOf).filter((symptom) => symptom !== null);

function repetitionOf(members: readonly Exchange[]): Repetition {
  const attempts = [...groupBy(members, ({ tag }) => tag.attempt).values()];
  const own = members.filter((one) => !isCheck(one));
  const isFull = attempts.length > MOST_REPETITIONS;
  const isShort = !isFull && attempts.length > 1 && own.some(isUnknownCall);
  const persistent = (where?: PlaceOf): readonly string[] => [...persistentSymptoms(attempts, where)];
  return {
    own,
    full: isFull ? persistent() : [],
    ofMoments: isFull ? persistent(momentOf) : [],
    short: isShort ? persistent() : [],
  };
}

/**
 * The symptoms that a run confirms; `sequences` holds the exchanges of each sequence with its health checks. Confirmed is:
 * - what a request showed in each of six attempts;
 * - what it showed in both of two, where a create call forbids more, if no other symptom of the run went away (if the service
 *   wrote both answers, responses lost elsewhere do not count);
 * - what every create call of the run was answered, two at least;
 * - that none of two create calls or more got a complete response, if no other symptom of the run went away;
 * - what every create call with some value was answered, if no symptom of the run went away;
 * - what some request of a moment showed each time, if no other symptom that the service wrote went away.
 */
export function confirmedSymptoms(sequences: readonly (readonly Exchange[])[]): ReadonlySet<string> {
  const repetitions = sequences.filter((members) => members.some(isTroubled)).map(repetitionOf);
  const all = repetitions.flatMap(({ own }) => own);
  const confirmed = new Set<string>();
  // Believes the symptoms unless another symptom of the exchanges in `among` went away.
  const believe = (symptoms: readonly string[], among: readonly Exchange[]): void => {
    const isKnown = (symptom: string): boolean => confirmed.has(symptom) || symptoms.includes(symptom);
    if (symptomsOf(among).every(isKnown)) for (const one of symptoms) confirmed.add(one);
  };
  const shown = (kind: 'full' | 'ofMoments'): readonly string[] => repetitions.flatMap((one) => one[kind]);
  believe(shown('full'), []);
  believe(commonSymptom(sequences.flat().filter(isCall)), []);
  believe(
    lostCalls(sequences.flat()).map((one) => symptomOf(one) ?? ''),
    all,
  );
  believe(shown('ofMoments'), all.filter(isOfService));
  believe(symptomsByElement(sequences.flat()), all);
  const [first, ...more] = repetitions.filter(({ short }) => short.length > 0);
  if (first === undefined || more.length > 0) return confirmed;
  const written = symptomsOf(first.own.filter(isOfService));
  const isWritten = first.short.every((symptom) => written.includes(symptom));
  const others = all.filter((one) => !first.own.includes(one) && (!isWritten || one.failure === null));
  if (symptomsOf(others).every((symptom) => confirmed.has(symptom))) believe(first.short, []);
  return confirmed;
}

/** The symptom that all these calls share, two at least. It must be a written answer: a network may lose two, but writes none. */
function commonSymptom(calls: readonly Exchange[]): readonly string[] {
  const [symptom = null, ...others] = new Set(calls.map(symptomOf));
  const isWritten = calls.every(({ failure }) => failure === null);
  return calls.length > 1 && symptom !== null && others.length === 0 && isWritten ? [symptom] : [];
}

/**
 * The create calls without a complete response, two at least, where none had one that accepted it (conformance model,
 * section 0, rule 6): they cannot be repeated, but a server that cuts connections after 30 s cuts each of them.
 */
export function lostCalls(exchanges: readonly Exchange[]): readonly Exchange[] {
  const calls = exchanges.filter(isCall);
  const lost = calls.filter(({ failure }) => failure !== null && !UNREACHED.includes(failure.kind));
  return lost.length > 1 && !calls.some(isAccepted) ? lost : [];
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
 * The symptoms that all create calls with some value show, two at least: they cannot be repeated, since each may have
 * placed a call, but each of them is a request of its own.
 */
function symptomsByElement(exchanges: readonly Exchange[]): readonly string[] {
  const calls = exchanges.filter(isCall).map((call) => ({ call, elements: new Set(valuesIn(call)) }));
  const isOpen = ({ call }: (typeof calls)[number]): boolean => symptomOf(call) !== null && isUnknownCall(call);
  const suspects = new Set(calls.filter(isOpen).flatMap(({ elements }) => [...elements]));
  return [...suspects].flatMap((element) =>
    commonSymptom(calls.filter(({ elements }) => elements.has(element)).map(({ call }) => call)),
  );
}

/** An error page on this many operations comes from the target, not from a network. */
const MANY_OPERATIONS = 3;

/**
 * Symptoms of rate limits (a 429 in plain text) on many operations. A retry hides each of them, but together they show what
 * the service, or its gateway, always writes. A 503 may be an outage, however many operations it concerns.
 */
export function widespreadSymptoms(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const shown = exchanges
    .filter((one) => isRetryable(one) && (statusOf(one) ?? 0) < 500)
    .flatMap((exchange) => {
      const symptom = symptomOf(exchange);
      return symptom === null ? [] : [{ symptom, status: statusOf(exchange), operation: exchange.tag.operation }];
    });
  const many = [...groupBy(shown, ({ status }) => status).values()].filter(
    (equal) => new Set(equal.map(({ operation }) => operation)).size >= MANY_OPERATIONS,
  );
  return new Set(many.flat().map(({ symptom }) => symptom));
}
