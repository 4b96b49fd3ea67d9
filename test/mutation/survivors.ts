/** Compares the mutants that the suite does not catch with the list of those that may survive. */

import type { JudgedMutant, Outcome } from './judge-mutants.ts';

/** Survivors for which one reason holds. */
export interface Survivors {
  /** What the run says: nothing (`conformant`), that something cannot be judged, or no request reaches the mutant. */
  readonly verdict: 'conformant' | 'incomplete' | 'not reached';
  /** Why the mutant is lawful, or no client can see it. */
  readonly reason: string;
  /** Keys of mutants; of those that no request reaches, the declaration and their number. */
  readonly mutants: readonly string[];
}

/** What differs from the list, one sentence each; nothing if the list is true. */
export function differences(judged: readonly JudgedMutant[], listed: readonly Survivors[]): readonly string[] {
  const found = survivorsOf(judged);
  const known = listed.flatMap(({ verdict, mutants }) => mutants.map((key) => `${verdict}: ${key}`));
  const twice = known.filter((one, at) => known.indexOf(one) !== at);
  return [
    ...judged.filter(({ outcome }) => outcome.verdict === 'void').map(({ key }) => `breaks the suite: ${key}`),
    ...found.filter((one) => !known.includes(one)).map((one) => `new survivor, ${one}`),
    ...known.filter((one) => !found.includes(one)).map((one) => `listed and no survivor, ${one}`),
    ...twice.map((one) => `listed twice, ${one}`),
  ];
}

/** Verdict and key of each mutant that is not caught. */
export function survivorsOf(judged: readonly JudgedMutant[]): readonly string[] {
  const unreached = new Map<string, number>();
  for (const { place, outcome } of judged) {
    if (outcome.verdict === 'not reached') unreached.set(place, (unreached.get(place) ?? 0) + 1);
  }
  return [
    ...judged.filter(({ outcome }) => isSurvivor(outcome)).map(({ key, outcome }) => `${outcome.verdict}: ${key}`),
    ...[...unreached].map(([place, count]) => `not reached: ${place}: ${count}`),
  ];
}

/** Inconclusive on an operation that accepts no valid request, whose remedy names the settings it depends on. */
const ACCEPTANCE: readonly string[] = ['CALL-CREATE-STATUS', 'LIST-STATUS', 'SUCCESS-STATUS'];

/**
 * A run that fails or warns catches the mutant. So does one that is incomplete because an operation accepts nothing, which
 * may be a matter of settings. A service that does not start, or never answers, needs no suite.
 */
function isSurvivor({ verdict, broken, open }: Outcome): boolean {
  if (broken.length > 0) return false;
  return verdict === 'conformant' || (verdict === 'incomplete' && !open.some((id) => ACCEPTANCE.includes(id)));
}
