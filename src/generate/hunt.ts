/** One random try with what comes of it: on a suspicious answer fast-check shrinks, within a budget of tries. */

import fc from 'fast-check';

/** How many tries shrinking may spend on one value (conformance model, section 5). */
export const SHRINK_BUDGET = 30;

/** One try: where it stands in the search, and whether what came back is suspicious. */
export type Try<T> = (value: T, label: string) => Promise<boolean>;

/**
 * Draws one value by seed and tries it; while tries are suspicious, smaller ones follow, all of the same class, until
 * nothing smaller is suspicious or the budget is spent. Resolves with the path of the smallest, `null` where the first
 * try was not suspicious. The same seed and the same answers give the same tries.
 */
export async function hunt<T>(arbitrary: fc.Arbitrary<T>, seed: number, attempt: Try<T>): Promise<string | null> {
  let tries = 0;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    tries += 1;
    if (tries > SHRINK_BUDGET + 1) return true;
    const label = tries === 1 ? `random, seed ${seed}` : `random, seed ${seed}, shrunk ${tries - 1}`;
    return !(await attempt(value, label));
  });
  const result = await fc.check(property, { seed, numRuns: 1 });
  return result.counterexamplePath;
}
