/** A comparison for people (text, Markdown) and for programs (JSON). */

import { counted } from '../report/console/paint.ts';
import type { Difference, DifferenceGroup } from '../report/difference.ts';
import { code, table } from '../report/markdown.ts';
import { cut, visible } from '../report/visible.ts';
import type { Drift } from './changes.ts';
import type { Comparison } from './comparison.ts';

const quoted = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '));

function driftEntry({ gap, operation, before, now }: Drift): DifferenceGroup['entries'][number] {
  return { name: `${gap}/${operation}`, detail: `was ${quoted(before)}, is ${quoted(now)}` };
}

const GROUPS = [
  ['newlyFailing', 'Newly failing', true],
  ['failingDifferently', 'Failing in a new way', true],
  ['stillFailing', 'Still failing', false],
  ['newlyPassing', 'Newly passing', false],
  ['noLongerJudged', 'No longer judged', false],
  ['newlyJudged', 'Newly judged', false],
] as const satisfies readonly (readonly [keyof Comparison, string, boolean])[];

function summaryOf({ newlyFailing, failingDifferently, drift }: Comparison, pinned: boolean): string {
  const breaks = newlyFailing.length + failingDifferently.length;
  const choices = drift.length === 0 ? '' : `, ${counted(drift.length, 'choice')} changed${pinned ? ' (pinned)' : ''}`;
  return breaks === 0 ? `Nothing new fails${choices}.` : `${counted(breaks, 'case')} newly failing${choices}.`;
}

/** The comparison as groups; changed choices are a break where they are pinned. */
export function differenceOf(comparison: Comparison, pinChoices: boolean): Difference {
  const groups: readonly DifferenceGroup[] = [
    ...GROUPS.map(([list, title, grave]) => {
      return {
        title,
        grave,
        entries: comparison[list].map((change) => ({ name: change.case, detail: change.detail })),
      };
    }),
    { title: 'Changed choices', grave: pinChoices, entries: comparison.drift.map(driftEntry) },
    { title: 'Changed plan', grave: false, entries: comparison.plan.map((name) => ({ name, detail: '' })) },
  ];
  const unread = comparison.choicesCompared ? '' : ' Choices were not compared: one of the runs has no choices.json.';
  const summary = `${summaryOf(comparison, pinChoices)}${unread}`;
  return { summary, groups: groups.filter(({ entries }) => entries.length > 0) };
}

/** The comparison as lines for a screen, without a final newline. */
export function renderComparisonText({ summary, groups }: Difference): string {
  const lines = groups.flatMap(({ title, entries }) => [
    `${title} (${entries.length})`,
    ...entries.map(({ name, detail }) => `  ${visible(name)}${detail === '' ? '' : `: ${visible(cut(detail, 300))}`}`),
  ]);
  return [...lines, summary].join('\n');
}

/** The comparison in GitHub flavoured Markdown. */
export function renderComparisonMarkdown({ summary, groups }: Difference): string {
  const sections = groups.flatMap(({ title, entries }) => {
    const rows = entries.map(({ name, detail }) => [code(name), detail === '' ? '' : code(detail)]);
    return [`### ${title} (${entries.length})`, '', ...table(['What', 'Detail'], rows)];
  });
  return `${['## Changes since the baseline', '', summary, '', ...sections].join('\n').trimEnd()}\n`;
}

/** The comparison as JSON with two spaces of indentation and a final newline. */
export function renderComparisonJson(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
