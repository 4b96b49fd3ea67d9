/** Which symptoms stay when a sequence is repeated: what a network forges goes away, what a service does is there again. */

import type { Exchange } from '../exchange/exchange.ts';
import { statusOf, symptomOf } from './answer.ts';

/** How often a sequence is repeated at most. */
export const MOST_REPETITIONS = 5;

/** Where in its sequence a request stands; equal in each repetition. */
const placeOf = ({ tag, request }: Exchange): string => `${tag.step}\n${tag.operation}\n${request.credential}`;

/** The symptoms of one attempt by the places at which they showed. */
function symptomsByPlace(attempt: readonly Exchange[]): ReadonlyMap<string, string> {
  return new Map(
    attempt.flatMap((exchange) => {
      const symptom = symptomOf(exchange);
      return symptom === null ? [] : [[placeOf(exchange), symptom] as const];
    }),
  );
}

/**
 * Symptoms of the requests that showed one in every attempt. Another request each time is no confirmation: a sequence
 * of ten requests loses one of them in most attempts where a network loses one in ten.
 */
export function persistentSymptoms(attempts: readonly (readonly Exchange[])[]): ReadonlySet<string> {
  const shown = attempts.map(symptomsByPlace);
  const places = [...(shown[0]?.keys() ?? [])].filter((place) => shown.every((attempt) => attempt.has(place)));
  return new Set(places.flatMap((place) => shown.flatMap((attempt) => attempt.get(place) ?? [])));
}

/** What came of the attempts of one sequence. */
interface Repetition {
  readonly count: number;
  readonly persistent: ReadonlySet<string>;
  /** Every symptom, persistent or not. */
  readonly all: readonly string[];
  /** A create call without an outcome, of which a run bears only two, forbids the full number of repetitions. */
  readonly isShort: boolean;
}

function isUnknownCall(exchange: Exchange): boolean {
  return exchange.tag.operation === 'createCall' && (statusOf(exchange) ?? 500) >= 500;
}

function repetitionOf(members: readonly Exchange[]): Repetition {
  const attempts = new Map<number, Exchange[]>();
  for (const exchange of members) {
    const attempt = attempts.get(exchange.tag.attempt);
    if (attempt === undefined) attempts.set(exchange.tag.attempt, [exchange]);
    else attempt.push(exchange);
  }
  return {
    count: attempts.size,
    persistent: persistentSymptoms([...attempts.values()]),
    all: members.map(symptomOf).filter((symptom) => symptom !== null),
    isShort: attempts.size <= MOST_REPETITIONS && members.some(isUnknownCall),
  };
}

/**
 * Symptoms that a request of some sequence showed in each of six attempts, or of two where a create call forbids more.
 * Two are believed only in a run in which nothing else went wrong and then right again. `sequences` holds the exchanges
 * of each sequence.
 */
export function confirmedSymptoms(sequences: readonly (readonly Exchange[])[]): ReadonlySet<string> {
  const repetitions = sequences.map(repetitionOf).filter(({ all }) => all.length > 0);
  const full = repetitions.filter(({ count }) => count > MOST_REPETITIONS);
  const confirmed = new Set(full.flatMap(({ persistent }) => [...persistent]));
  const short = repetitions.filter(({ isShort, count, persistent }) => isShort && count > 1 && persistent.size > 0);
  const others = repetitions.filter((one) => !short.includes(one)).flatMap(({ all }) => all);
  const [first, ...more] = short;
  if (first === undefined || more.length > 0 || others.some((symptom) => !confirmed.has(symptom))) return confirmed;
  return new Set([...confirmed, ...first.persistent]);
}
