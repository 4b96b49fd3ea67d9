/** Unknown names, and the known names that were probably meant. */

import { closestMatch } from 'leven';
import { UsageError } from './usage-error.ts';

/** Set for fixture commands, which may run this command again. */
const SET_FOR_FIXTURES: readonly string[] = ['PCS_FIXTURE'];

/** One sentence for each variable with the prefix `PCS_` that is not a setting, with the one probably meant. */
export function nearMisses(present: readonly string[], known: readonly string[]): readonly string[] {
  return present
    .filter((name) => /^PCS_/i.test(name) && !known.includes(name) && !SET_FOR_FIXTURES.includes(name))
    .map((name) => [`${name} is not a setting`, suggestion(name, known) ?? []].flat().join('; '));
}

/** The error for an unknown name: it suggests the nearest known name, or else the other remedy. */
export function unknownName(problem: string, name: string, known: readonly string[], otherwise: string): UsageError {
  return new UsageError(problem, suggestion(name, known) ?? otherwise);
}

/** Suggests the nearest known name at most two letters away, ignoring letter case. */
function suggestion(name: string, known: readonly string[]): string | undefined {
  const inCapitals = known.map((candidate) => candidate.toUpperCase());
  const nearest = closestMatch(name.toUpperCase(), inCapitals, { maxDistance: 2 });
  return nearest === undefined ? undefined : `did you mean ${known[inCapitals.indexOf(nearest)]}?`;
}
