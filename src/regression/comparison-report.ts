/** A comparison as text, Markdown and JSON. */

import type { Difference, DifferenceGroup } from '../report/model.ts';
import { differenceLines } from '../report/summary.ts';
import { counted, cut, visible } from '../report/text.ts';
import { type Comparison, LISTS } from './comparison.ts';

function summaryOf({ newlyFailing, failingDifferently, drift, choicesCompared }: Comparison, pinned: boolean): string {
  const fails = newlyFailing.length + failingDifferently.length;
  const choices = drift.length === 0 ? '' : `, ${counted(drift.length, 'choice')} changed${pinned ? ' (pinned)' : ''}`;
  const summary = `${fails === 0 ? 'No new failures' : counted(fails, 'new failure')}${choices}.`;
  return choicesCompared ? summary : `${summary} Choices were not compared: one of the runs has no choices.json.`;
}

/** The comparison in groups for the reports; with `pinChoices` a changed choice is grave. */
export function differenceOf(comparison: Comparison, pinChoices: boolean): Difference {
  const joined = (words: readonly string[]): string => words.join(', ') || 'nothing';
  const drift = comparison.drift.map(({ gap, operation, before, now }) => {
    return { name: `${gap}/${operation}`, detail: `was ${joined(before)}, is ${joined(now)}` };
  });
  const groups: readonly DifferenceGroup[] = [
    ...LISTS.map(({ name: list, title, grave }) => {
      return { title, grave, entries: comparison[list].map(({ case: name, detail }) => ({ name, detail })) };
    }),
    { title: 'Changed choices', grave: pinChoices, entries: drift },
    { title: 'Changed plan', grave: false, entries: comparison.plan.map((name) => ({ name, detail: '' })) },
  ];
  return { summary: summaryOf(comparison, pinChoices), groups: groups.filter(({ entries }) => entries.length > 0) };
}

/** The comparison as lines for a terminal, without a final newline. */
export function renderComparisonText({ summary, groups }: Difference): string {
  const lines = groups.flatMap(({ title, entries }) => [
    `${title} (${entries.length})`,
    ...entries.map(({ name, detail }) => `  ${visible(name)}${detail === '' ? '' : `: ${visible(cut(detail, 300))}`}`),
  ]);
  return [...lines, summary].join('\n');
}

/** The comparison in GitHub flavoured Markdown. */
export function renderComparisonMarkdown(difference: Difference): string {
  return `${['## Changes since the baseline', '', difference.summary, '', ...differenceLines(difference)].join('\n').trimEnd()}\n`;
}

/** The comparison as JSON with two spaces of indentation and a final newline. */
export function renderComparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
