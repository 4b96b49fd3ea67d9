/** What two runs were asked and what the target chose: differences that are no failures. */

import { allCases } from '../report/cases.ts';
import type { Choice } from '../verdict/choices.ts';
import type { Results } from '../verdict/results.ts';

/** A gap in which the target chooses otherwise than it did. */
export interface Drift {
  readonly gap: string;
  readonly operation: string;
  /** Choices that are gone. */
  readonly before: readonly string[];
  /** Choices that are new. */
  readonly now: readonly string[];
}

const placeOf = ({ gap, operation }: Choice): string => `${gap}/${operation}`;
const wordsAt = (choices: readonly Choice[], place: string): readonly string[] =>
  choices.filter((choice) => placeOf(choice) === place).map(({ choice }) => choice);

/**
 * Choices that changed, by gap and operation. A gap that only one of the runs looked into is no drift: nothing says
 * that the target chose otherwise before.
 */
export function driftOf(
  baseline: readonly Choice[] | undefined,
  current: readonly Choice[] | undefined,
): { readonly drift: readonly Drift[]; readonly choicesCompared: boolean } {
  if (baseline === undefined || current === undefined) return { drift: [], choicesCompared: false };
  const places = [...new Map(current.map((choice) => [placeOf(choice), choice])).values()];
  const drift = places.flatMap((choice): readonly Drift[] => {
    const [before, now] = [wordsAt(baseline, placeOf(choice)), wordsAt(current, placeOf(choice))];
    const gone = before.filter((word) => !now.includes(word));
    const fresh = now.filter((word) => !before.includes(word));
    if (before.length === 0 || gone.length + fresh.length === 0) return [];
    return [{ gap: choice.gap, operation: choice.operation, before: gone, now: fresh }];
  });
  return { drift, choicesCompared: true };
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** The first few of many names. */
function few(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

const FACTS = [
  ['the version of the suite', ({ suite }: Results) => suite.version],
  ['the profile', ({ profile }: Results) => profile],
  ['what is left out', ({ without }: Results) => listed(without)],
  ['the filter', ({ only }: Results) => listed(only)],
  ['strictness', ({ strict }: Results) => (strict ? 'strict' : 'not strict')],
  ['the seed', ({ seed }: Results) => String(seed)],
  ['the number of random cases', ({ runs }: Results) => String(runs)],
  ['the settings that are there', ({ settings }: Results) => listed(settings)],
] as const satisfies readonly (readonly [string, (results: Results) => string])[];

function missing(from: readonly string[], others: readonly string[]): readonly string[] {
  return from.filter((name) => !others.includes(name));
}

function setChanges(noun: string, before: readonly string[], now: readonly string[]): readonly string[] {
  const [gone, fresh] = [missing(before, now), missing(now, before)];
  return [
    ...(fresh.length === 0 ? [] : [`${noun} new in the plan: ${few(fresh)}`]),
    ...(gone.length === 0 ? [] : [`${noun} no longer in the plan: ${few(gone)}`]),
  ];
}

/** Sentences without a full stop: what the current run was asked otherwise than the baseline. */
export function planChanges(baseline: Results, current: Results): readonly string[] {
  const facts = FACTS.flatMap(([name, of]) => {
    const [before, now] = [of(baseline), of(current)];
    return before === now ? [] : [`${name} was ${before} and is ${now}`];
  });
  const ids = (results: Results): readonly string[] => results.requirements.map(({ id }) => id);
  const shared = new Set(ids(baseline).filter((id) => ids(current).includes(id)));
  const cases = (results: Results): readonly string[] =>
    allCases(results).flatMap(({ requirement, one }) => (shared.has(requirement.id) ? [one.id] : []));
  return [
    ...facts,
    ...setChanges('requirements', ids(baseline), ids(current)),
    ...setChanges('cases', cases(baseline), cases(current)),
  ];
}
