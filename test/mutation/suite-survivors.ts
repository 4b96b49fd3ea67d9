/** Compares the mutants of the suite that nothing notices with the list of those that may survive. */

import type { Mutant } from './instrument.ts';
import type { Fate } from './judge-suite.ts';

/** A mutant of the suite, and the most that anything noticed of it. */
export interface FatedMutant extends Mutant {
  readonly fate: Fate;
}

/** Survivors for which one reason holds. */
export interface SuiteSurvivors {
  /**
   * `equivalent`: no record and no request tells it from the suite. `text`: only what is said differs. `unplanned`: no unit
   * test and no recorded run comes there. `gap`: a unit test is missing.
   */
  readonly class: 'equivalent' | 'text' | 'unplanned' | 'gap';
  readonly reason: string;
  /** What is noticed, and the key; of those that nothing reaches or that only say something else, declaration and number. */
  readonly mutants: readonly string[];
}

/** These are told by the declaration and their number: nothing can be said of each. */
const COUNTED: readonly Fate[] = ['not reached', 'says'];

/** What is noticed and the key of each mutant that nothing catches. */
export function suiteSurvivorsOf(fated: readonly FatedMutant[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { place, fate } of fated.filter((one) => COUNTED.includes(one.fate))) {
    counts.set(`${fate}: ${place}`, (counts.get(`${fate}: ${place}`) ?? 0) + 1);
  }
  const single = fated.filter(({ fate }) => fate !== 'caught' && !COUNTED.includes(fate));
  return [
    ...single.map(({ fate, key }) => `${fate}: ${key}`),
    ...[...counts].map(([where, count]) => `${where}: ${count}`),
  ];
}

/** What differs from the list, one sentence each; nothing if the list is true. */
export function suiteDifferences(fated: readonly FatedMutant[], listed: readonly SuiteSurvivors[]): readonly string[] {
  const found = suiteSurvivorsOf(fated);
  const known = listed.flatMap(({ mutants }) => mutants);
  const twice = known.filter((one, at) => known.indexOf(one) !== at);
  return [
    ...found.filter((one) => !known.includes(one)).map((one) => `new survivor, ${one}`),
    ...known.filter((one) => !found.includes(one)).map((one) => `listed and no survivor, ${one}`),
    ...twice.map((one) => `listed twice, ${one}`),
  ];
}
