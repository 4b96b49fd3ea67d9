/** Verdicts and how they combine: the worst one wins (conformance model, section 5). */

/** Verdict of a case. A `should` that fails is a warning. */
export type Verdict = 'not-exercised' | 'pass' | 'inconclusive' | 'warning' | 'fail' | 'error';

/** Verdict of a run; the last two are those of recorded traffic, which never shows that a target conforms. */
export type RunVerdict = 'conformant' | 'non-conformant' | 'incomplete' | 'void' | 'no breach' | 'breach';

/** The verdicts of cases, worst last. */
export const LADDER: readonly Verdict[] = ['not-exercised', 'pass', 'inconclusive', 'warning', 'fail', 'error'];

/** The worst of the verdicts; `error` if there are none. */
export function fold(verdicts: readonly Verdict[]): Verdict {
  const top = Math.max(-1, ...verdicts.map((verdict) => LADDER.indexOf(verdict)));
  return LADDER[top] ?? 'error';
}

/** Exit code of a run's verdict. */
export const EXIT_OF: Readonly<Record<RunVerdict, 0 | 1 | 3 | 4>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
  void: 4,
  'no breach': 0,
  breach: 1,
};
