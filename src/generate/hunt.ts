/** Random tries: while the answers are suspicious, fast-check shrinks the value, within a budget. */

import fc from 'fast-check';

/** How many tries shrinking may spend on one value (conformance model, section 5). */
const SHRINK_BUDGET = 30;

/** Where a search begins: a seed, and optionally the path to the only value to try. */
export interface Origin {
  readonly seed: number;
  readonly path?: string;
}

/** Sends the value at a seed and path; resolves with whether the answer is suspicious. */
export type Try<T> = (value: T, origin: Required<Origin>) => Promise<boolean>;

/**
 * Draws one value by seed and tries it. While tries are suspicious, smaller values of the same class follow, until no
 * smaller one is suspicious or the budget is spent. With a path in the origin, only the value at that path is tried, if
 * there is one. Resolves with the path of the smallest suspicious value, or `null` if the first was not suspicious. The
 * same seed and answers give the same tries.
 */
export async function hunt<T>(arbitrary: fc.Arbitrary<T>, origin: Origin, attempt: Try<T>): Promise<string | null> {
  const { seed, path } = origin;
  return path === undefined ? search(arbitrary, seed, attempt) : single(arbitrary, { seed, path }, attempt);
}

async function search<T>(arbitrary: fc.Arbitrary<T>, seed: number, attempt: Try<T>): Promise<string | null> {
  // The path of a try, in fast-check's order: the last suspicious value, then the position among its smaller values.
  let above = '';
  let next = 0;
  let tries = 0;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    tries += 1;
    if (tries > SHRINK_BUDGET + 1) return true;
    const path = `${above}${next}`;
    next += 1;
    if (!(await attempt(value, { seed, path }))) return true;
    above = `${path}:`;
    next = 0;
    return false;
  });
  const result = await fc.check(property, { seed, numRuns: 1 });
  return result.counterexamplePath;
}

async function single<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, path }: Required<Origin>,
  attempt: Try<T>,
): Promise<string | null> {
  const property = fc.asyncProperty(arbitrary, async (value) => !(await attempt(value, { seed, path })));
  try {
    const result = await fc.check(property, { seed, path, numRuns: 1, endOnFailure: true });
    return result.counterexamplePath;
  } catch (error) {
    // The path belongs to another search.
    if (error instanceof Error && error.message.includes('path')) return null;
    throw error;
  }
}
