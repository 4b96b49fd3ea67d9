/** `pcs-conformance compare`: what changed between two report folders. */

import {
  compareRuns,
  differenceOf,
  renderComparisonJson,
  renderComparisonMarkdown,
  renderComparisonText,
} from '../../regression/comparison.ts';
import { readRunFolder } from '../../regression/own-files.ts';
import type { COMPARISON_FORMATS } from '../flag-options.ts';
import { EXIT_CODES, type ExitCode, type Terminal } from '../terminal.ts';

/** How to compare. */
interface CompareOptions {
  readonly format: (typeof COMPARISON_FORMATS)[number];
  readonly pinChoices?: true;
}

/** Prints the difference; exits 1 if there is a new failure or a pinned choice changed. Throws `UsageError`. */
export function compare(baseline: string, current: string, options: CompareOptions, terminal: Terminal): ExitCode {
  const pinned = options.pinChoices === true;
  const comparison = compareRuns(readRunFolder(baseline, pinned), readRunFolder(current, pinned));
  const difference = differenceOf(comparison, pinned);
  const text = {
    text: () => renderComparisonText(difference),
    json: () => renderComparisonJson(comparison),
    markdown: () => renderComparisonMarkdown(difference),
  }[options.format]();
  terminal.out(text.trimEnd());
  const fails = comparison.worse || (pinned && comparison.drift.length > 0);
  return fails ? EXIT_CODES.nonConformant : EXIT_CODES.conformant;
}
