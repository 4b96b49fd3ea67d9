/** The report on the screen: requirements, what stayed open, the failing cases last, and the verdict. */

import type { Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import { failingCases } from './cases.ts';
import { type FailureGroup, failureLines, foldAlike, shortFailure } from './console/failure.ts';
import { counted, type Paint, painter, TONE_OF } from './console/paint.ts';
import { requirementLines } from './console/requirements.ts';
import { openCallLines, sectionLines } from './console/sections.ts';
import { cut, visible } from './visible.ts';

/** How the console is written. */
export interface ConsoleOptions {
  /** Colour, or marks and words alone; the caller asks the stream and `NO_COLOR`. */
  readonly color: boolean;
  /** Columns of the screen; `Infinity` where lines are not to be shortened. */
  readonly width: number;
  /** The failing cases and the verdict only. */
  readonly quiet: boolean;
}

/** So many failing cases are shown in full; those after them get a line each. */
const FULL_FAILURES = 20;

function failureSection(groups: readonly FailureGroup[], run: RunArtefacts, paint: Paint): readonly string[] {
  if (groups.length === 0) return [];
  const full = groups.slice(0, FULL_FAILURES).flatMap((group) => failureLines(group, run, paint));
  const short = groups.slice(FULL_FAILURES).flatMap((group) => shortFailure(group, run.results));
  return [paint('bad', 'Failing'), ...full, ...short, ...(short.length === 0 ? [] : [''])];
}

function verdictLines(results: Results, paint: Paint): readonly string[] {
  const { verdict, summary, profile, without, partial, counts, seed, target } = results;
  const narrowed = without.length === 0 ? '' : ` without ${without.join(', ')}`;
  const part = partial ? ', partial' : '';
  const word = paint('strong', paint(TONE_OF[verdict], verdict.toUpperCase()));
  const cost = `${counted(counts.requests, 'request')}, ${counted(counts.calls, 'call')}, seed ${seed}`;
  return [
    `${word} (profile ${profile}${narrowed}${part}): ${visible(cut(summary, 600))}`,
    paint('quiet', `${visible(target)}: ${cost}`),
  ];
}

/** The whole report of a run as text that ends in a newline; every text of the target is made harmless. */
export function renderConsole(run: RunArtefacts, options: ConsoleOptions): string {
  const { results } = run;
  const paint = painter(options.color);
  const groups = foldAlike(failingCases(results));
  const lines = [
    ...(options.quiet ? [] : requirementLines(results.requirements, options.width, paint)),
    ...(options.quiet ? openCallLines(results, paint) : sectionLines(results, paint)),
    ...failureSection(groups, run, paint),
    ...verdictLines(results, paint),
  ];
  return `${lines.join('\n')}\n`;
}
