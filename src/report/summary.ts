/** summary.md: the run on one page, for a job summary or a comment. */

import { namedFacts, type RunArtefacts } from './artefacts.ts';
import {
  type FailureGroup,
  failingCases,
  foldAlike,
  type Notice,
  noticesOf,
  type OpenGroup,
  openCallNotice,
  openGroups,
  warningCases,
} from './cases.ts';
import { LOOKS, WORST_FIRST } from './looks.ts';
import { replayCommand } from './replay.ts';
import { code, counted, escaped, table } from './text.ts';

/** A job summary may have 1 MiB; so many rows per table stay far below it. */
const ROWS = 50;
const CASES = 5;

function more(items: readonly unknown[], one: string, many = `${one}s`): readonly string[] {
  const rest = items.length - ROWS;
  return rest <= 0 ? [] : [`And ${counted(rest, `more ${one}`, `more ${many}`)} in results.json.`, ''];
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, CASES).map((id) => code(id));
  return [...shown, ...(ids.length > CASES ? [`${ids.length - CASES} more`] : [])].join(', ');
}

function failureRow({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
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
    code(replayCommand(one, run), 600),
  ];
}

function openRow({ verdict, reason, remedy, cases }: OpenGroup): readonly string[] {
  const { mark, word } = LOOKS[verdict];
  const help = remedy === undefined ? '' : code(remedy);
  return [`${mark} ${word}`, String(cases.length), code(reason), help, listed(cases)];
}

function failures(heading: string, groups: readonly FailureGroup[], run: RunArtefacts): readonly string[] {
  if (groups.length === 0) return [];
  const head = ['Verdict', 'Case', 'Requirement', 'Expected', 'Actual', 'Replay'];
  const rows = groups.slice(0, ROWS).map((group) => failureRow(group, run));
  return [`### ${heading}`, '', ...table(head, rows), ...more(groups, 'failure')];
}

function open(heading: string, groups: readonly OpenGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const head = ['Verdict', 'Cases', 'Reason', 'To resolve', 'Which'];
  return [`### ${heading}`, '', ...table(head, groups.slice(0, ROWS).map(openRow)), ...more(groups, 'reason')];
}

function noticeLines({ title, sentences }: Notice): readonly string[] {
  if (sentences.length === 0) return [];
  const shown = sentences.slice(0, ROWS).map((text) => `- ${code(text)}`);
  return [`### ${title}`, '', ...shown, '', ...more(sentences, 'entry', 'entries')];
}

function factLines(run: RunArtefacts): readonly string[] {
  const named = namedFacts(run).map(([name, value]) => `${escaped(name)} ${code(value)}`);
  return named.length === 0 ? [] : [`Run: ${named.join(', ')}.`, ''];
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
    ...factLines(run),
    ...table(['Verdict', 'Cases'], rows),
    ...failures('Failing', foldAlike(failingCases(results)), run),
    ...failures('Warnings', foldAlike(warningCases(results)), run),
    ...open('Inconclusive', openGroups(results, 'inconclusive')),
    ...open('Not exercised', openGroups(results, 'not-exercised')),
    ...[...noticesOf(results), openCallNotice(results)].flatMap(noticeLines),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
