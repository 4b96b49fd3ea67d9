/** Which symptoms persist when a sequence is repeated: those of a network go away, those of a service stay. */

import { groupBy } from '../contract/lists.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isRetryable, statusOf, symptomOf } from './answer.ts';

/** How often a sequence is repeated at most. */
export const MOST_REPETITIONS = 5;

/** Where in its sequence a request stands; equal in each repetition. */
const placeOf = ({ tag, request }: Exchange): string =>
  [tag.role, tag.about, tag.operation, request.credential, request.method, request.path].join('\n');

function symptomsByPlace(attempt: readonly Exchange[]): ReadonlyMap<string, string> {
  return new Map(
    attempt.flatMap((exchange) => {
      const symptom = symptomOf(exchange);
      return symptom === null ? [] : [[placeOf(exchange), symptom] as const];
    }),
  );
}

/**
 * Symptoms of the requests that showed one in every attempt. A symptom of another request each time confirms nothing: a
 * network that loses one answer in ten spoils most attempts of a sequence of ten requests.
 */
export function persistentSymptoms(attempts: readonly (readonly Exchange[])[]): ReadonlySet<string> {
  const shown = attempts.map(symptomsByPlace);
  const places = [...(shown[0]?.keys() ?? [])].filter((place) => shown.every((attempt) => attempt.has(place)));
  return new Set(places.flatMap((place) => shown.flatMap((attempt) => attempt.get(place) ?? [])));
}

interface Repetition {
  readonly count: number;
  readonly persistent: ReadonlySet<string>;
  /** Every symptom, persistent or not. */
  readonly all: readonly string[];
  /** A create call of unknown outcome limits the repetitions: a run allows only two of them. */
  readonly isShort: boolean;
}

const isUnknownCall = (exchange: Exchange): boolean =>
  exchange.tag.operation === 'createCall' && (statusOf(exchange) ?? 500) >= 500;

function repetitionOf(members: readonly Exchange[]): Repetition {
  const attempts = groupBy(members, ({ tag }) => tag.attempt);
  return {
    count: attempts.size,
    persistent: persistentSymptoms([...attempts.values()]),
    all: members.map(symptomOf).filter((symptom) => symptom !== null),
    isShort: attempts.size <= MOST_REPETITIONS && members.some(isUnknownCall),
  };
}

/**
 * Symptoms that a request of some sequence showed in each of six attempts, or of two where a create call forbids more.
 * Two are believed only in a run in which no other symptom went away. `sequences` holds the exchanges of each sequence.
 */
export function confirmedSymptoms(sequences: readonly (readonly Exchange[])[]): ReadonlySet<string> {
  const troubled = sequences.filter((members) => members.some((one) => symptomOf(one) !== null));
  const repetitions = troubled.map(repetitionOf);
  const full = repetitions.filter(({ count }) => count > MOST_REPETITIONS);
  const confirmed = new Set(full.flatMap(({ persistent }) => [...persistent]));
  const short = repetitions.filter(({ isShort, count, persistent }) => isShort && count > 1 && persistent.size > 0);
  const others = repetitions.filter((one) => !short.includes(one)).flatMap(({ all }) => all);
  const [first, ...more] = short;
  if (first === undefined || more.length > 0 || others.some((symptom) => !confirmed.has(symptom))) return confirmed;
  return new Set([...confirmed, ...first.persistent]);
}

/** A body that is not an envelope and comes on this many operations comes from the target, not from a network. */
const MANY_OPERATIONS = 3;

/**
 * Symptoms of retryable answers (a 429 in plain text) that come on many operations. A retry hides each of them, but
 * together they are what the service, or its gateway, always says.
 */
export function widespreadSymptoms(exchanges: readonly Exchange[]): ReadonlySet<string> {
  const shown = exchanges.filter(isRetryable).flatMap((exchange) => {
    const symptom = symptomOf(exchange);
    return symptom === null ? [] : [{ symptom, status: statusOf(exchange), operation: exchange.tag.operation }];
  });
  const many = [...groupBy(shown, ({ status }) => status).values()].filter(
    (equal) => new Set(equal.map(({ operation }) => operation)).size >= MANY_OPERATIONS,
  );
  return new Set(many.flat().map(({ symptom }) => symptom));
}
