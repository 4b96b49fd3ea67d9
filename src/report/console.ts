/** The report on the screen: requirements, warnings, open cases, notices, the failing cases last, and the verdict. */

import { firstOf } from '../contract/lists.ts';
import type { RequirementResult, Results } from '../verdict/results.ts';
import type { RunArtefacts } from './artefacts.ts';
import {
  type CaseOfRequirement,
  type FailureGroup,
  failingCases,
  foldAlike,
  noticesOf,
  type OpenGroup,
  openCallNotice,
  openGroups,
  profileOf,
  warningCases,
} from './cases.ts';
import { failureLines, shortFailure } from './failure.ts';
import { KIN, LOOKS, type Paint, painter, type Tone, WORST_FIRST } from './looks.ts';
import { replayCommand } from './replay.ts';
import { counted, cut, visible } from './text.ts';

/** How the console is written. */
export interface ConsoleOptions {
  /** Colour; the caller asks the stream and `NO_COLOR`. */
  readonly color: boolean;
  /** Columns of the screen; `Infinity` to shorten no line. */
  readonly width: number;
  /** Only failing cases, open calls and the verdict. */
  readonly quiet: boolean;
}

/** So many failing cases are shown in full; the rest get one line each. */
const FULL_FAILURES = 20;
const SHOWN_CASES = 4;
const TEXT_CHARACTERS = 300;

function phrase(text: string): string {
  return visible(cut(text, TEXT_CHARACTERS));
}

function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 2 ? '' : `${text.slice(0, width - 1).trimEnd()}…`;
}

function countsOf({ cases }: RequirementResult): string {
  return WORST_FIRST.flatMap((verdict) => {
    const count = cases.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${LOOKS[verdict].word}`];
  }).join(', ');
}

function requirementLine(requirement: RequirementResult, idWidth: number, width: number, paint: Paint): string {
  const { mark, tone } = LOOKS[requirement.verdict];
  const counts = countsOf(requirement);
  const room = width - idWidth - counts.length - 6;
  const statement = fitted(requirement.statement, room);
  const gap = Number.isFinite(width) ? ' '.repeat(Math.max(0, room - statement.length)) : '';
  const id = requirement.id.padEnd(idWidth);
  return `${paint(tone, mark)} ${id}  ${paint('quiet', statement)}${gap}  ${paint(tone, counts)}`;
}

/** The requirements by level, each on a line of at most `width` columns if its counts leave room. */
function requirementLines({ requirements }: Results, width: number, paint: Paint): readonly string[] {
  const idWidth = Math.max(0, ...requirements.map(({ id }) => id.length));
  return (['must', 'should'] as const).flatMap((level) => {
    const own = requirements.filter((requirement) => requirement.level === level);
    if (own.length === 0) return [];
    return [paint('strong', level), ...own.map((one) => requirementLine(one, idWidth, width, paint)), ''];
  });
}

function section(heading: string, tone: Tone, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : [paint(tone, heading), ...lines, ''];
}

const bullets = (sentences: readonly string[]): readonly string[] => sentences.map((text) => `- ${phrase(text)}`);

function warningLines({ requirement, one }: CaseOfRequirement, run: RunArtefacts, paint: Paint): readonly string[] {
  const mark = paint('warn', LOOKS.warning.mark);
  return [
    `${mark} ${one.id} (section ${requirement.section}): ${phrase(one.reason ?? requirement.statement)}`,
    `    ${paint('quiet', replayCommand(one, run))}`,
  ];
}

function openLines({ verdict, reason, remedy, cases }: OpenGroup, paint: Paint): readonly string[] {
  const { mark, tone } = LOOKS[verdict];
  return [
    `${paint(tone, mark)} ${counted(cases.length, 'case')}: ${phrase(reason)}`,
    ...(remedy === undefined ? [] : [`    to resolve: ${phrase(remedy)}`]),
    `    ${paint('quiet', firstOf(cases, SHOWN_CASES))}`,
  ];
}

function sections(run: RunArtefacts, paint: Paint): readonly string[] {
  const { results } = run;
  const open = (verdict: OpenGroup['verdict']): readonly string[] =>
    openGroups(results, verdict).flatMap((group) => openLines(group, paint));
  const warnings = warningCases(results).flatMap((each) => warningLines(each, run, paint));
  return [
    ...section('Warnings', 'warn', warnings, paint),
    ...section('Inconclusive', 'open', open('inconclusive'), paint),
    ...section('Not exercised', 'quiet', open('not-exercised'), paint),
    ...noticesOf(results).flatMap(({ title, sentences }) => section(title, 'warn', bullets(sentences), paint)),
  ];
}

function failureSection(groups: readonly FailureGroup[], run: RunArtefacts, paint: Paint): readonly string[] {
  if (groups.length === 0) return [];
  const full = groups.slice(0, FULL_FAILURES).flatMap((group) => failureLines(group, run, paint));
  const short = groups.slice(FULL_FAILURES).flatMap((group) => shortFailure(group, run));
  return [paint('bad', 'Failing'), ...full, ...short, ...(short.length === 0 ? [] : [''])];
}

function verdictLines(results: Results, paint: Paint): readonly string[] {
  const { verdict, summary, partial, counts, seed, target } = results;
  const word = paint('strong', paint(LOOKS[KIN[verdict]].tone, verdict.toUpperCase()));
  const cost = `${counted(counts.requests, 'request')}, ${counted(counts.calls, 'call')}, seed ${seed}`;
  return [
    `${word} (profile ${profileOf(results)}${partial ? ', partial' : ''}): ${visible(cut(summary, 600))}`,
    paint('quiet', `${visible(target)}: ${cost}`),
  ];
}

/** The whole report of a run as text that ends in a newline; text of the target is made harmless. */
export function renderConsole(run: RunArtefacts, { color, width, quiet }: ConsoleOptions): string {
  const { results } = run;
  const paint = painter(color);
  const { title, sentences } = openCallNotice(results);
  const lines = [
    ...(quiet ? [] : [...requirementLines(results, width, paint), ...sections(run, paint)]),
    ...section(title, 'bad', bullets(sentences), paint),
    ...failureSection(foldAlike(failingCases(results)), run, paint),
    ...verdictLines(results, paint),
  ];
  return `${lines.join('\n')}\n`;
}
