/** results.json: the results as they are, in the order of the plan. */

import type { Results } from '../verdict/results.ts';

/** The results as JSON with two spaces of indentation and a final newline; it holds no clock, so that runs compare. */
export function renderResults(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}
