/** Answers that were longer than is read: what lies beyond the limit is not judged, and whoever reads the verdict is told. */

import type { Exchange } from '../exchange/exchange.ts';

/** How many answers were not read to their end, and to which operations they came. */
export interface CutAnswers {
  readonly answers: number;
  /** In the order in which they came; `undocumented` for requests to no operation. */
  readonly operations: readonly string[];
}

/** The answers that were not read to their end, or `null` where each was. */
export function cutAnswersOf(exchanges: readonly Exchange[]): CutAnswers | null {
  const cut = exchanges.filter(({ response }) => response?.body?.cut === true);
  if (cut.length === 0) return null;
  return { answers: cut.length, operations: [...new Set(cut.map(({ tag }) => tag.operation ?? 'undocumented'))] };
}
