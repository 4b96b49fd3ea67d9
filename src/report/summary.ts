/** summary.md: the run on one page, for a job summary or a comment. */

import type { Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import { failingCases, type OpenGroup, openGroups, warningCases } from './cases.ts';
import { type FailureGroup, foldAlike } from './console/failure.ts';
import { counted, LOOKS, WORST_FIRST } from './console/paint.ts';
import { cutSentences } from './cut-answers.ts';
import { code, escaped, table } from './markdown.ts';
import { replayCommand } from './replay.ts';

/** A job summary may have a mebibyte; so many rows a table stay far below it. */
const ROWS = 50;
const CASES = 5;

function more<Item>(items: readonly Item[], noun: string): readonly string[] {
  return items.length > ROWS ? [`And ${counted(items.length - ROWS, noun)} more, in results.json.`, ''] : [];
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, CASES).map((id) => code(id));
  return [...shown, ...(ids.length > CASES ? [`${ids.length - CASES} more`] : [])].join(', ');
}

function failureRow({ first, alike }: FailureGroup, results: Results): readonly string[] {
  const { requirement, one } = first;
  const [finding] = one.findings;
  const { mark, word } = LOOKS[one.verdict];
  const reading = requirement.reading === undefined ? '' : `, reading ${escaped(requirement.reading)}`;
  return [
    `${mark} ${word}`,
    listed([one.id, ...alike]),
    `${escaped(requirement.statement)} (${requirement.level}, section ${escaped(requirement.section)}${reading})`,
    finding === undefined ? '' : code(finding.expected),
    finding === undefined ? code(one.reason ?? '') : `${code(finding.actual)} in ${code(finding.where)}`,
    code(replayCommand(results, [alike.length === 0 ? one.id : requirement.id]), 600),
  ];
}

function failures(heading: string, groups: readonly FailureGroup[], results: Results): readonly string[] {
  if (groups.length === 0) return [];
  const head = ['Verdict', 'Case', 'Requirement', 'Expected', 'Got', 'Replay'];
  const rows = groups.slice(0, ROWS).map((group) => failureRow(group, results));
  return [`### ${heading}`, '', ...table(head, rows), ...more(groups, 'kind')];
}

function open(heading: string, groups: readonly OpenGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, ROWS)
    .map(({ verdict, reason, remedy, cases }) => [
      `${LOOKS[verdict].mark} ${LOOKS[verdict].word}`,
      String(cases.length),
      code(reason),
      remedy === undefined ? '' : code(remedy),
      listed(cases),
    ]);
  return [
    `### ${heading}`,
    '',
    ...table(['Verdict', 'Cases', 'Because', 'What would help', 'Which'], rows),
    ...more(groups, 'reason'),
  ];
}

function sentences(heading: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, ROWS).map((text) => `- ${code(text)}`);
  return [`### ${heading}`, '', ...shown, '', ...more(texts, 'entry')];
}

/** The run in GitHub flavoured Markdown. */
export function renderSummary(run: RunArtefacts): string {
  const { results } = run;
  const { verdict, summary, profile, without, partial, target, seed, counts, suite } = results;
  const narrowed = without.length === 0 ? '' : ` without ${code(without.join(', '))}`;
  const rows = WORST_FIRST.map((one) => [`${LOOKS[one].mark} ${LOOKS[one].word}`, String(counts.cases[one])]);
  const lines = [
    `## PCS conformance: ${verdict}`,
    '',
    `${code(summary, 600)}`,
    '',
    `Profile ${profile}${narrowed}${partial ? ', **partial**' : ''}, target ${code(target)}, seed ${seed}, ` +
      `${counted(counts.requests, 'request')}, ${counted(counts.calls, 'call')}, ${escaped(`${suite.name} ${suite.version}`)}.`,
    '',
    ...table(['Verdict', 'Cases'], rows),
    ...failures('Failing', foldAlike(failingCases(results)), results),
    ...failures('Warnings', foldAlike(warningCases(results)), results),
    ...open('Could not be judged', openGroups(results, 'inconclusive')),
    ...open('Not exercised', openGroups(results, 'not-exercised')),
    ...sentences(
      'Intermittent',
      results.intermittent.map(({ symptom, exchanges }) => `${symptom}: ${exchanges.join(', ')}`),
    ),
    ...sentences('Not read to the end', cutSentences(results)),
    ...sentences('Changed on the target and not put back', results.changed),
    ...sentences('Calls that may still be open', results.possiblyOpen),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
