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

/** A colon comes once in a sentence. */
function usageSentence(problem: string, remedy: string): string {
  return `${problem}${problem.includes(': ') ? ';' : ':'} ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
}
