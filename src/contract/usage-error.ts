/** Wrong usage and wrong settings, and the names that were probably meant. */

import { closestMatch } from 'leven';

/**
 * Wrong usage or a wrong setting: what is wrong, and what to do about it. The message holds both in one sentence. The
 * command prints it and exits with 2.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  /** What is wrong, as a clause. */
  readonly problem: string;
  /** What to do, as an imperative without a final full stop. */
  readonly remedy: string;
  /** The sentences of the message, a line each. */
  readonly sentences: readonly string[];

  constructor(problem: string, remedy: string, options?: ErrorOptions & { readonly also?: readonly string[] }) {
    const sentences = [...new Set([usageSentence(problem, remedy), ...(options?.also ?? [])])];
    super(sentences.join('\n'), options);
    this.problem = problem;
    this.remedy = remedy;
    this.sentences = sentences;
  }
}

/** Runs every function and returns the `UsageError`s that they throw. */
export function usageErrorsOf(works: readonly (() => unknown)[]): readonly UsageError[] {
  return works.flatMap((work) => {
    try {
      work();
      return [];
    } catch (error) {
      if (error instanceof UsageError) return [error];
      throw error;
    }
  });
}

/** Throws all usage errors as a single one; does nothing if the list is empty. */
export function throwAll(errors: readonly UsageError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new UsageError(first.problem, first.remedy, { also: errors.flatMap(({ sentences }) => sentences) });
}

/** Returns what the work returns. Any other error than a `UsageError` becomes one. */
export function withUsageError<T>(work: () => T, problem: string | ((cause: unknown) => string), remedy: string): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(typeof problem === 'string' ? problem : problem(cause), remedy);
  }
}

/** A sentence has at most one colon. */
function usageSentence(problem: string, remedy: string): string {
  return `${problem}${problem.includes(': ') ? ';' : ':'} ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
}

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
