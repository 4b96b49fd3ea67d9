/** One random try with what comes of it: on a suspicious answer fast-check shrinks, within a budget of tries. */

import fc from 'fast-check';
import { labelOf, type Origin } from './origin.ts';

/** How many tries shrinking may spend on one value (conformance model, section 5). */
export const SHRINK_BUDGET = 30;

/** One try: where it stands in the search, and whether what came back is suspicious. */
export type Try<T> = (value: T, label: string) => Promise<boolean>;

/** Paths of the tries, in fast-check's order: below the last suspicious value, its smaller ones in turn. */
class Trail {
  #above = '';
  #next = 0;
  #current = '';

  step(): string {
    this.#current = `${this.#above}${this.#next}`;
    this.#next += 1;
    return this.#current;
  }

  descend(): void {
    this.#above = `${this.#current}:`;
    this.#next = 0;
  }
}

/**
 * Draws one value by seed and tries it; while tries are suspicious, smaller ones follow, all of the same class, until
 * nothing smaller is suspicious or the budget is spent. Resolves with the path of the smallest, `null` where the first
 * try was not suspicious. With a path the one value there is tried, and nothing where the search has no such path. The
 * same seed and the same answers give the same tries.
 */
export async function hunt<T>(arbitrary: fc.Arbitrary<T>, origin: Origin, attempt: Try<T>): Promise<string | null> {
  return origin.path === undefined
    ? search(arbitrary, origin.seed, attempt)
    : single(arbitrary, { seed: origin.seed, path: origin.path }, attempt);
}

async function search<T>(arbitrary: fc.Arbitrary<T>, seed: number, attempt: Try<T>): Promise<string | null> {
  const trail = new Trail();
  let tries = 0;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    tries += 1;
    if (tries > SHRINK_BUDGET + 1) return true;
    const isSuspicious = await attempt(value, labelOf(seed, trail.step()));
    if (isSuspicious) trail.descend();
    return !isSuspicious;
  });
  const result = await fc.check(property, { seed, numRuns: 1 });
  return result.counterexamplePath;
}

async function single<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, path }: Required<Origin>,
  attempt: Try<T>,
): Promise<string | null> {
  const property = fc.asyncProperty(arbitrary, async (value) => !(await attempt(value, labelOf(seed, path))));
  try {
    const result = await fc.check(property, { seed, path, numRuns: 1, endOnFailure: true });
    return result.counterexamplePath;
  } catch (error) {
    // The path belongs to another search: this one has nothing there.
    if (error instanceof Error && error.message.includes('path')) return null;
    throw error;
  }
}
