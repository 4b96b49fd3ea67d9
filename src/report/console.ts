/** The report on the screen: the verdict and its causes, the rest, the failing cases in full, and the verdict again. */

import { firstOf } from '../contract/lists.ts';
import type { RequirementResult, Results } from '../verdict/results.ts';
import { questionsSentence } from '../verdict/sentence.ts';
import type { RunArtefacts } from './artefacts.ts';
import {
  actionsOf,
  callsSentence,
  type FailureGroup,
  failingCases,
  foldAlike,
  noticesOf,
  type OpenGroup,
  openGroups,
  profileOf,
  type QuestionGroup,
  questionGroups,
  warningCases,
} from './cases.ts';
import { type Cause, MOST_TELLING, outcomeLine, reasonsOf, requestLine } from './causes.ts';
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

/** A statement in fewer columns than this says nothing. */
const LEAST_WIDTH = 12;

function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < LEAST_WIDTH ? '' : `${text.slice(0, width - 1).trimEnd()}…`;
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

function warningLines({ first, alike }: FailureGroup, run: RunArtefacts, paint: Paint): readonly string[] {
  const { requirement, one } = first;
  const mark = paint('warn', LOOKS.warning.mark);
  const others = alike.length === 0 ? [] : [`    ${paint('quiet', `the same in ${firstOf(alike, SHOWN_CASES)}`)}`];
  return [
    `${mark} ${one.id} (section ${requirement.section}): ${phrase(one.reason ?? requirement.statement)}`,
    ...others,
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

function questionLines({ questions, reason, remedy, cases }: QuestionGroup): readonly string[] {
  const helps = remedy === undefined ? [] : [`    to resolve: ${phrase(remedy)}`];
  return [`- ${counted(questions, 'question')} of ${firstOf(cases, SHOWN_CASES)}: ${phrase(reason)}`, ...helps];
}

function sections(run: RunArtefacts, paint: Paint): readonly string[] {
  const { results } = run;
  const open = (verdict: OpenGroup['verdict']): readonly string[] =>
    openGroups(results, verdict).flatMap((group) => openLines(group, paint));
  const warnings = foldAlike(warningCases(results)).flatMap((group) => warningLines(group, run, paint));
  return [
    ...section('Warnings', 'warn', warnings, paint),
    ...section('Inconclusive', 'open', open('inconclusive'), paint),
    ...section('Not exercised', 'quiet', open('not-exercised'), paint),
    ...section('Questions without an answer', 'quiet', questionGroups(results).flatMap(questionLines), paint),
    ...noticesOf(results).flatMap(({ title, sentences }) => section(title, 'warn', bullets(sentences), paint)),
  ];
}

function failureSection(groups: readonly FailureGroup[], run: RunArtefacts, paint: Paint): readonly string[] {
  if (groups.length === 0) return [];
  const full = groups.slice(0, FULL_FAILURES).flatMap((group) => failureLines(group, run, paint));
  const short = groups.slice(FULL_FAILURES).flatMap((group) => shortFailure(group, run));
  return [paint('bad', 'Failing'), ...full, ...short, ...(short.length === 0 ? [] : [''])];
}

function causeLines({ first, places, what, example, extent }: Cause, paint: Paint): readonly string[] {
  const { mark, tone } = LOOKS[first.one.verdict];
  const said = what.map(([term, text]) => `${term === 'reason' ? '' : `${term} `}${text}`).join(', ');
  const about = example?.about ? ` (${phrase(example.about)})` : '';
  const shown = example === undefined ? [] : [`    ${example.request}${about}`, `    ${example.response}`];
  return [
    `${paint(tone, mark)} ${paint('strong', first.requirement.id)} on ${places}: ${phrase(said)}`,
    ...shown,
    `    ${paint('quiet', `${extent}${example === undefined ? '' : `; exchange ${example.exchange.seq}`}`)}`,
  ];
}

/** The verdict and why: the most telling causes, or what an incomplete run lacks, and what needs action. */
function firstLines(run: RunArtefacts, paint: Paint): readonly string[] {
  const { sentence, causes, open, lastRequests } = reasonsOf(run);
  const lines = [...causes.map((cause) => causeLines(cause, paint)), ...open.map((group) => openLines(group, paint))];
  const more = lines.length - MOST_TELLING;
  const last = lastRequests.map((exchange) => `${exchange.seq} ${requestLine(exchange)}: ${outcomeLine(exchange)}`);
  return [
    verdictLine(run.results, sentence, paint),
    ...lines.slice(0, MOST_TELLING).flat(),
    ...(more > 0 ? [`  ${paint('quiet', `${more} more below`)}`] : []),
    '',
    ...section('The last requests before the target stopped responding', 'bad', bullets(last), paint),
    ...actionsOf(run.results).flatMap(({ title, sentences }) => section(title, 'bad', bullets(sentences), paint)),
  ];
}

function verdictLine(results: Results, sentence: string, paint: Paint): string {
  const { verdict, partial } = results;
  const word = paint('strong', paint(LOOKS[KIN[verdict]].tone, verdict.toUpperCase()));
  return `${word} (profile ${profileOf(results)}${partial ? ', partial' : ''}): ${visible(cut(sentence, 600))}`;
}

/** A screen shows the end, so calls that may be open stand there once more. */
function lastLines(run: RunArtefacts, paint: Paint): readonly string[] {
  const { results } = run;
  const { counts, seed, target, possiblyOpen, waited } = results;
  const waiting = waited === undefined ? '' : `, ${waited} s of waiting`;
  const cost = `${counted(counts.requests, 'request')}, ${callsSentence(counts)}${waiting}, seed ${seed}`;
  const answered = results.verdict === 'conformant' ? '' : `; ${questionsSentence(results.questions)}`;
  return [
    ...section('Calls that may still be open', 'bad', bullets(possiblyOpen), paint),
    ...failureSection(foldAlike(failingCases(results)), run, paint),
    verdictLine(results, results.summary, paint),
    paint('quiet', `${visible(target)}: ${cost}${answered}`),
  ];
}

/** The whole report of a run as text that ends in a newline; text of the target is made harmless. */
export function renderConsole(run: RunArtefacts, { color, width, quiet }: ConsoleOptions): string {
  const paint = painter(color);
  const above = quiet
    ? []
    : [...firstLines(run, paint), ...requirementLines(run.results, width, paint), ...sections(run, paint)];
  return `${[...above, ...lastLines(run, paint)].join('\n')}\n`;
}
