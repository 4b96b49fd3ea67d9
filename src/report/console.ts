/** The report on the screen: the verdict and its causes, the rest, the failing cases in full, and the verdict again. */

import { stripVTControlCharacters, styleText } from 'node:util';
import { SHOWN } from '../contract/limits.ts';
import { firstOf } from '../contract/lists.ts';
import type { Exchange, RecordedBody, RecordedHeader } from '../exchange/exchange.ts';
import { shownFields } from '../exchange/header-fields.ts';
import type { RunFacts } from '../run/facts.ts';
import type { FoldedFinding, RequirementResult, Results } from '../verdict/results.ts';
import { butFor, questionsSentence, waitsSentence } from '../verdict/sentence.ts';
import { type Cause, curlLine, outcomeLine, reasonsOf, requestLine, rerunCommand, traceOf } from './causes.ts';
import { knownPhrase } from './gate.ts';
import {
  actionsOf,
  bodyFacts,
  type CaseOfRequirement,
  callsSentence,
  exampleOf,
  type FailureGroup,
  failingCases,
  foldAlike,
  gateWord,
  knownIn,
  LOOKS,
  type Notice,
  newFirst,
  noticesOf,
  type OpenCases,
  type OpenGroup,
  openGroups,
  profileOf,
  questionGroups,
  type RunArtefacts,
  readingSentence,
  reasonOf,
  STYLE_OF_RUN,
  siblingPhrase,
  type Tone,
  trafficSentence,
  WORST_FIRST,
  warningCases,
} from './model.ts';
import { counted, cut, grouped, visible, visibleLines } from './text.ts';

const STYLES = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  open: 'magenta',
  quiet: 'gray',
  strong: 'bold',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;

/** The text in its tone; where there is no colour, it is taken out of the whole report again. */
const paint = (tone: Tone, text: string): string => styleText(STYLES[tone], text, { validateStream: false });

const REQUEST_FIELDS = shownFields('in requests');
const RESPONSE_FIELDS = shownFields('in responses');

function phrase(text: string): string {
  return visible(cut(text, SHOWN.paragraph));
}

function fieldLines(headers: readonly RecordedHeader[], names: ReadonlySet<string>): readonly string[] {
  return headers
    .filter(([name]) => names.has(name.toLowerCase()))
    .map(([name, value]) => visible(`${name}: ${cut(value, SHOWN.line)}`));
}

function bodyLines(body: RecordedBody | null): readonly string[] {
  if (body === null) return ['(no body)'];
  const members = body.members.map(({ pointer, type }) => `${pointer || 'top'} ${type}`);
  const shown = body.text !== undefined || members.length === 0 ? '' : `: ${firstOf(members, SHOWN.lines)}`;
  const facts = visible(cut(`(${bodyFacts(body).join(', ')}${shown})`, SHOWN.paragraph));
  if (body.text === undefined) return [facts];
  const isOdd = !body.utf8 || body.byteOrderMark;
  return [...(isOdd ? [facts] : []), ...visibleLines(body.text, SHOWN.lines, SHOWN.paragraph)];
}

function requestLines({ request }: Exchange): readonly string[] {
  const credential = request.credential === 'valid' ? [] : [`credential: ${request.credential}`];
  const body = request.body === null ? [] : bodyLines(request.body);
  const path = visible(cut(request.path, SHOWN.paragraph));
  return [`${request.method} ${path}`, ...credential, ...fieldLines(request.headers, REQUEST_FIELDS), ...body];
}

function responseLines({ response, failure }: Exchange): readonly string[] {
  if (response === null) {
    const status = failure?.status === undefined ? '' : ` after status ${failure.status}`;
    const why = failure === null ? '' : `: ${failure.detail} (${failure.kind})`;
    return [visible(`no complete response${status}${why}`)];
  }
  const leaks = response.leaks.map(
    ({ secret, encoding, where }) => `leaks the ${secret} (${encoding}) in the ${where}`,
  );
  return [
    String(response.status),
    ...fieldLines(response.headers, RESPONSE_FIELDS),
    ...bodyLines(response.body),
    ...leaks.map(visible),
  ];
}

/** Texts beside their names; what has none is left out. */
function fields(texts: Readonly<Record<string, string | readonly string[] | undefined>>) {
  // The bar keeps a line of the target from coming first, where a build server would look for a command.
  const line = (name: string, text: string): string =>
    `  ${paint('quiet', name.padEnd(10))}${paint('quiet', '│')} ${text}`;
  return Object.entries(texts).flatMap(([name, own = []]) =>
    [own].flat().map((text, at) => line(at === 0 ? name : '', text)),
  );
}

function findingLines(finding: FoldedFinding, run: RunArtefacts): readonly string[] {
  const exchange = exampleOf(finding, run);
  const { expected, actual, where, about, count, sibling } = finding;
  const times = count > 1 ? [`seen ${count} times; the smallest example is shown`] : [];
  const random = exchange?.tag.origin;
  const texts = {
    expected: phrase(expected),
    actual: paint('bad', phrase(actual)),
    where: [phrase(where), ...times],
    variation: about === '' ? undefined : phrase(about),
    unlike: sibling && phrase(`request ${sibling.seq}${siblingPhrase(sibling, run)}`),
    random: random && `seed ${random.seed}, path ${random.path}`,
  };
  if (exchange === undefined) {
    return fields({ ...texts, request: `exchange ${finding.example}, which the record does not hold` });
  }
  const [request, response, trace] = [requestLines(exchange), responseLines(exchange), traceOf(exchange)];
  return fields({ ...texts, request, response, trace, curl: curlLine(exchange, run, where) });
}

function otherFindings(findings: readonly FoldedFinding[]): readonly string[] {
  const shown = findings.slice(0, SHOWN.first).map(({ expected, actual, where, count, example }) => {
    const times = count > 1 ? `, ${count} times` : '';
    const [wanted, got, place] = [expected, actual, where].map((text) => visible(cut(text, SHOWN.line)));
    return `expected ${wanted}, got ${got} in ${place} (exchange ${example}${times})`;
  });
  const more = findings.length - shown.length;
  return fields({ also: [...shown, ...(more > 0 ? [counted(more, 'more finding')] : [])] });
}

function headline({ requirement, one }: CaseOfRequirement, run: RunArtefacts): readonly string[] {
  const { mark, tone, word } = LOOKS[one.verdict];
  const level = one.verdict === 'warning' ? `${requirement.level}, a failure under --strict` : requirement.level;
  const { reading } = requirement;
  const known = knownIn(run).get(one.id);
  return [
    `${paint(tone, `${mark} ${gateWord(one, run)}${word}`)} ${paint('strong', one.id)} (${level}, section ${requirement.section})`,
    `  ${requirement.statement}`,
    ...fields({ known: known && phrase(knownPhrase(known)), reading: reading && readingSentence(reading) }),
  ];
}

/** A failing case in full. */
function failureLines({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
  const { one } = first;
  const [finding, ...others] = one.findings;
  return [
    ...headline(first, run),
    ...(finding === undefined ? fields({ reason: phrase(reasonOf(one)) }) : findingLines(finding, run)),
    ...otherFindings(others),
    ...fields({ 'same in': alike.length === 0 ? undefined : alike.join(', '), rerun: rerunCommand(one, run) }),
    '',
  ];
}

/** A case by itself in full, without colour and a final newline. */
export function failureText(first: CaseOfRequirement, run: RunArtefacts): string {
  return stripVTControlCharacters(failureLines({ first, alike: [] }, run).join('\n')).trimEnd();
}

/** A failing case on one line, and the command that judges it again. */
function shortFailure({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
  const { one, requirement } = first;
  const more = alike.length === 0 ? '' : ` and ${counted(alike.length, 'other case')}`;
  return [
    `${LOOKS[one.verdict].mark} ${one.id}${more}: ${phrase(one.reason ?? requirement.statement)}`,
    `    ${rerunCommand(one, run)}`,
  ];
}

/** How the console is written. */
export interface ConsoleOptions {
  /** Colour; the caller asks the stream and `NO_COLOR`. */
  readonly color: boolean;
  /** `quiet`: only failing cases, open calls and the verdict. `verbose`: every requirement on a line. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
}

/** In a list. */
const brief = (text: string): string => visible(cut(text, SHOWN.paragraph));

/** What a requirement came to: its mark, its id, its cases by verdict, and its statement in full. */
function requirementLine({ id, statement, verdict, cases }: RequirementResult, idWidth: number): string {
  const { mark, tone } = LOOKS[verdict];
  const counts = WORST_FIRST.flatMap((word) => {
    const count = cases.filter((one) => one.verdict === word).length;
    return count === 0 ? [] : [`${count} ${LOOKS[word].word}`];
  });
  return `${paint(tone, `${mark} ${id.padEnd(idWidth)}  ${counts.join(', ')}`)}  ${paint('quiet', statement)}`;
}

/** How many requirements passed as a whole; what did not pass stands in a section of its own. */
function passLines({ requirements }: Results): readonly string[] {
  const passed = requirements.filter(({ verdict }) => verdict === 'pass').length;
  const all = counted(requirements.length, 'requirement');
  return [paint('good', `${LOOKS.pass.mark} ${grouped(passed)} of ${all} passed`), ''];
}

/** Every requirement on a line, by level. */
function requirementLines({ requirements }: Results): readonly string[] {
  const idWidth = Math.max(0, ...requirements.map(({ id }) => id.length));
  return (['must', 'should'] as const).flatMap((level) => {
    const ofLevel = requirements.filter((requirement) => requirement.level === level);
    if (ofLevel.length === 0) return [];
    return [paint('strong', level), ...ofLevel.map((requirement) => requirementLine(requirement, idWidth)), ''];
  });
}

function section(heading: string, tone: Tone, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [paint(tone, heading), ...lines, ''];
}

const bullets = (sentences: readonly string[]): readonly string[] => sentences.map((text) => `- ${brief(text)}`);

function warningLines({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
  const { requirement, one } = first;
  const mark = paint('warn', LOOKS.warning.mark);
  const others = alike.length === 0 ? [] : [`    ${paint('quiet', `the same in ${firstOf(alike, SHOWN.named)}`)}`];
  return [
    `${mark} ${one.id} (section ${requirement.section}): ${brief(one.reason ?? requirement.statement)}`,
    ...others,
    `    ${paint('quiet', rerunCommand(one, run))}`,
  ];
}

const remedyLine = ({ remedy }: OpenGroup): readonly string[] =>
  remedy === undefined ? [] : [`    to resolve: ${brief(remedy)}`];

function openLines(group: OpenCases): readonly string[] {
  const { mark, tone } = LOOKS[group.verdict];
  const cases = `    ${paint('quiet', firstOf(group.cases, SHOWN.named))}`;
  return [`${paint(tone, mark)} ${group.title}: ${brief(group.reason)}`, ...remedyLine(group), cases];
}

const questionLines = (group: OpenGroup): readonly string[] => [
  `- ${group.title} of ${firstOf(group.cases, SHOWN.named)}: ${brief(group.reason)}`,
  ...remedyLine(group),
];

function sections(run: RunArtefacts): readonly string[] {
  const { results } = run;
  const open = (verdict: OpenCases['verdict']) => openGroups(results, verdict).flatMap(openLines);
  const warnings = foldAlike(warningCases(results)).flatMap((group) => warningLines(group, run));
  return [
    ...section('Warnings', 'warn', warnings),
    ...section('Inconclusive', 'open', open('inconclusive')),
    ...section('Not exercised', 'quiet', open('not-exercised')),
    ...section('Questions without an answer', 'quiet', questionGroups(results).flatMap(questionLines)),
    ...noticesOf(results).flatMap(({ title, sentences }) => section(title, 'warn', bullets(sentences))),
  ];
}

function failureSection(groups: readonly FailureGroup[], run: RunArtefacts): readonly string[] {
  if (groups.length === 0) return [];
  const full = groups.slice(0, SHOWN.failures).flatMap((group) => failureLines(group, run));
  const short = groups.slice(SHOWN.failures).flatMap((group) => shortFailure(group, run));
  return [paint('bad', 'Failing'), ...full, ...short, ...(short.length === 0 ? [] : [''])];
}

function causeLines({ first, places, what, example, extent, isNew }: Cause): readonly string[] {
  const { mark, tone } = LOOKS[first.one.verdict];
  const said = what.map(([term, text]) => `${term === 'reason' ? '' : `${term} `}${text}`).join(', ');
  const about = example?.about ? ` (${brief(example.about)})` : '';
  const shown = example === undefined ? [] : [`    ${example.request}${about}`, `    ${example.response}`];
  return [
    `${paint(tone, isNew ? `${mark} NEW` : mark)} ${paint('strong', first.requirement.id)} on ${places}: ${brief(said)}`,
    ...shown,
    `    ${paint('quiet', `${extent}${example === undefined ? '' : `; exchange ${example.exchange.seq}`}`)}`,
  ];
}

const actionSection = ({ title, sentences }: Notice): readonly string[] => section(title, 'bad', bullets(sentences));

/** The verdict and why: the most telling causes, or what an incomplete run lacks, and what needs action. */
function firstLines(run: RunArtefacts): readonly string[] {
  const { sentence, causes, open, lastRequests } = reasonsOf(run);
  const lines = [...causes.map(causeLines), ...open.map(openLines)];
  const more = lines.length - SHOWN.first;
  const last = lastRequests.map((exchange) => `${exchange.seq} ${requestLine(exchange)}: ${outcomeLine(exchange)}`);
  return [
    verdictLine(run.results, sentence),
    ...lines.slice(0, SHOWN.first).flat(),
    ...(more > 0 ? [`  ${paint('quiet', `${more} more below`)}`] : []),
    '',
    ...section('What may have taken the target down, and the requests after it', 'bad', bullets(last)),
    ...actionsOf(run.results).flatMap(actionSection),
  ];
}

function verdictLine(results: Results, sentence: string): string {
  const { verdict, partial, unjudged = [] } = results;
  const word = paint('strong', paint(LOOKS[STYLE_OF_RUN[verdict]].tone, verdict.toUpperCase()));
  const said = visible(cut(sentence, SHOWN.paragraph));
  if (results.traffic !== undefined) return `${word}${verdict === 'no breach' ? '' : ':'} ${said}`;
  const limits = verdict === 'conformant' ? butFor(unjudged) : '';
  return `${word}${limits} (profile ${profileOf(results)}${partial ? ', partial' : ''}): ${said}`;
}

/** What the run cost, and on lines of their own what repeats it and when it was. */
function costLines(run: RunArtefacts): readonly string[] {
  const { counts, seed, target, waits = [], traffic, questions } = run.results;
  if (traffic !== undefined) return [`${visible(target)}: ${trafficSentence(traffic)}`];
  const waiting = waits.length === 0 ? '' : `, ${waitsSentence(waits)}`;
  const { startedAt, endedAt }: Partial<RunFacts> = run.facts ?? {};
  const moment = (text = ''): string => text.replace(/\.\d+/, '');
  const times = startedAt === undefined ? '' : `; ${moment(startedAt)} to ${moment(endedAt)}`;
  return [
    `${visible(target)}: ${counted(counts.requests, 'request')}, ${callsSentence(counts)}${waiting}`,
    `seed ${seed}${times}; ${questionsSentence(questions)}`,
  ];
}

/** A screen shows the end, so calls that may be open stand there once more; where nothing stands above, all that needs action. */
function lastLines(run: RunArtefacts, isAll: boolean): readonly string[] {
  const { results } = run;
  const { possiblyOpen, changed } = results;
  return [
    ...actionsOf({ possiblyOpen, changed: isAll ? changed : [] }).flatMap(actionSection),
    ...failureSection(foldAlike(newFirst(failingCases(results), run)), run),
    verdictLine(results, results.summary),
    ...costLines(run).map((line) => paint('quiet', line)),
  ];
}

/** The whole report of a run as text that ends in a newline; text of the target is made harmless. */
export function renderConsole(run: RunArtefacts, { color, detail }: ConsoleOptions): string {
  const isQuiet = detail === 'quiet';
  const requirements = detail === 'verbose' ? requirementLines : passLines;
  const above = isQuiet ? [] : [...firstLines(run), ...requirements(run.results), ...sections(run)];
  const text = `${[...above, ...lastLines(run, isQuiet)].join('\n')}\n`;
  return color ? text : stripVTControlCharacters(text);
}
