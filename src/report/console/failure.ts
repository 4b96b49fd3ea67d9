/** A failing case as the console shows it: what was expected, what came, and how to see it again. */

import type { FoldedFinding, Results } from '../../verdict/results.ts';
import type { RunArtefacts } from '../artefacts.ts';
import { type CaseOfRequirement, exampleOf } from '../cases.ts';
import { readingSentence } from '../reading.ts';
import { curlLine, randomOf, replayCommand } from '../replay.ts';
import { cut, visible } from '../visible.ts';
import { answerLines, requestLines } from './exchange.ts';
import { counted, LOOKS, type Paint } from './paint.ts';

/** Cases of one requirement that fail in the same way on several operations. */
export interface FailureGroup {
  readonly first: CaseOfRequirement;
  /** Ids of the other cases that fail alike. */
  readonly alike: readonly string[];
}

const OTHER_FINDINGS = 3;
const TEXT_CHARACTERS = 400;

const said = (text: string): string => visible(cut(text, TEXT_CHARACTERS));

/** Where in the answer it was seen does not tell cases apart: one broken encoder breaks the 400 and the 401 alike. */
function likeness({ requirement, one }: CaseOfRequirement): string {
  const pairs = one.findings.map(({ expected, actual }) => JSON.stringify([expected, actual]));
  const what = pairs.length === 0 ? [one.reason ?? ''] : [...new Set(pairs)].sort();
  return JSON.stringify([requirement.id, one.verdict, what]);
}

/** Failing cases with those of the same requirement that fail alike folded into the first. */
export function foldAlike(cases: readonly CaseOfRequirement[]): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const each of cases) {
    const key = likeness(each);
    const known = groups.get(key);
    groups.set(
      key,
      known === undefined ? { first: each, alike: [] } : { ...known, alike: [...known.alike, each.one.id] },
    );
  }
  return [...groups.values()];
}

function field(name: string, values: readonly string[], paint: Paint): readonly string[] {
  // The bar keeps a target's line from standing first, where a build server would look for a command.
  return values.map(
    (value, at) => `  ${paint('quiet', (at === 0 ? name : '').padEnd(9))}${paint('quiet', '│')} ${value}`,
  );
}

function findingLines(finding: FoldedFinding, run: RunArtefacts, paint: Paint): readonly string[] {
  const exchange = exampleOf(finding, run);
  const times = finding.count > 1 ? [`seen ${finding.count} times; the smallest is shown`] : [];
  const about = finding.about === '' ? [] : [said(finding.about)];
  return [
    ...field('expected', [said(finding.expected)], paint),
    ...field('got', [paint('bad', said(finding.actual))], paint),
    ...field('where', [said(finding.where), ...times], paint),
    ...field('case', about, paint),
    ...(exchange === undefined
      ? field('request', [`number ${finding.example} of the run`], paint)
      : [
          ...field('request', requestLines(exchange), paint),
          ...field('answer', answerLines(exchange), paint),
          ...field('curl', [curlLine(exchange, run.results)], paint),
        ]),
  ];
}

/** What else is wrong with the case, a line for each finding. */
function otherFindings(findings: readonly FoldedFinding[], paint: Paint): readonly string[] {
  const shown = findings.slice(0, OTHER_FINDINGS).map(({ expected, actual, where, count, example }) => {
    const times = count > 1 ? `, ${count} times` : '';
    return said(`${actual} in ${where} where ${expected} is expected (request ${example}${times})`);
  });
  const more = findings.length - shown.length;
  return field('also', [...shown, ...(more > 0 ? [counted(more, 'other finding')] : [])], paint);
}

function headline({ requirement, one }: CaseOfRequirement, paint: Paint): readonly string[] {
  const { mark, tone, word } = LOOKS[one.verdict];
  const level = one.verdict === 'warning' ? `${requirement.level}, a failure under --strict` : requirement.level;
  const reading =
    requirement.reading === undefined ? [] : field('reading', [readingSentence(requirement.reading)], paint);
  return [
    `${paint(tone, `${mark} ${word}`)} ${paint('strong', one.id)} (${level}, section ${requirement.section})`,
    `  ${requirement.statement}`,
    ...reading,
  ];
}

/** A failing case in full. */
export function failureLines({ first, alike }: FailureGroup, run: RunArtefacts, paint: Paint): readonly string[] {
  const { one, requirement } = first;
  const [finding, ...others] = one.findings;
  return [
    ...headline(first, paint),
    ...(finding === undefined
      ? field('reason', [said(one.reason ?? 'no reason is known')], paint)
      : findingLines(finding, run, paint)),
    ...otherFindings(others, paint),
    ...field('alike', alike.length === 0 ? [] : [alike.join(', ')], paint),
    ...field(
      'replay',
      [replayCommand(run.results, [alike.length === 0 ? one.id : requirement.id], randomOf(one, run))],
      paint,
    ),
    '',
  ];
}

/** A failing case on one line, for the many that come after the first ones. */
export function shortFailure({ first, alike }: FailureGroup, results: Results): readonly string[] {
  const { one, requirement } = first;
  const more = alike.length === 0 ? '' : ` and ${alike.length} alike`;
  return [
    `${LOOKS[one.verdict].mark} ${one.id}${more}: ${said(one.reason ?? requirement.statement)}`,
    `    ${replayCommand(results, [alike.length === 0 ? one.id : requirement.id])}`,
  ];
}
