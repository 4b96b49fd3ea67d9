/**
 * Wrong usage or a wrong setting: what is wrong, and what to do about it. The message holds both in one sentence. The
 * command prints it and exits with 2.
 */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  /** What to do, as an imperative without a final full stop. */
  readonly remedy: string;

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(usageSentence(problem, remedy), options);
    this.remedy = remedy;
  }
}

/** What the work gives. Where it throws, a `UsageError` says what is wrong. */
export function withUsageError<T>(work: () => T, problem: string | ((cause: unknown) => string), remedy: string): T {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(typeof problem === 'string' ? problem : problem(cause), remedy);
  }
}

/** A colon comes once in a sentence. */
function usageSentence(problem: string, remedy: string): string {
  return `${problem}${problem.includes(': ') ? ';' : ':'} ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
}
