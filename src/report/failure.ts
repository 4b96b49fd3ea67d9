/** A failing case as text: what was expected, what came, the smallest request, and how to see it again. */

import { firstOf } from '../contract/lists.ts';
import type { Exchange, RecordedBody, RecordedHeader } from '../exchange/exchange.ts';
import { answerPhrase } from '../verdict/answer.ts';
import type { FoldedFinding } from '../verdict/results.ts';
import { bodyFacts, type RunArtefacts } from './artefacts.ts';
import {
  type CaseOfRequirement,
  exampleOf,
  type FailureGroup,
  knownIn,
  knownPhrase,
  readingSentence,
  reasonOf,
  shownFindings,
} from './cases.ts';
import { LOOKS, type Paint, painter } from './looks.ts';
import { curlLine, replayCommand, traceOf } from './replay.ts';
import { counted, cut, visible, visibleLines } from './text.ts';

const REQUEST_FIELDS: readonly string[] = ['content-type', 'content-length'];
const RESPONSE_FIELDS: readonly string[] = [
  ...['content-type', 'location', 'www-authenticate', 'retry-after', 'allow', 'x-request-id'],
];

const BODY_LINES = 12;
const BODY_CHARACTERS = 600;
const FIELD_CHARACTERS = 160;
const TEXT_CHARACTERS = 400;
const PART_CHARACTERS = 150;
const SHOWN_MEMBERS = 8;
const OTHER_FINDINGS = 3;

function phrase(text: string): string {
  return visible(cut(text, TEXT_CHARACTERS));
}

function fieldLines(headers: readonly RecordedHeader[], names: readonly string[]): readonly string[] {
  return headers
    .filter(([name]) => names.includes(name.toLowerCase()))
    .map(([name, value]) => visible(`${name}: ${cut(value, FIELD_CHARACTERS)}`));
}

function bodyLines(body: RecordedBody | null): readonly string[] {
  if (body === null) return ['(no body)'];
  const members = body.members.map(({ pointer, type }) => `${pointer || 'top'} ${type}`);
  const shown = body.text !== undefined || members.length === 0 ? '' : `: ${firstOf(members, SHOWN_MEMBERS)}`;
  const facts = visible(cut(`(${bodyFacts(body).join(', ')}${shown})`, BODY_CHARACTERS));
  if (body.text === undefined) return [facts];
  const isOdd = !body.utf8 || body.byteOrderMark;
  return [...(isOdd ? [facts] : []), ...visibleLines(body.text, BODY_LINES, BODY_CHARACTERS)];
}

function requestLines({ request }: Exchange): readonly string[] {
  const credential = request.credential === 'valid' ? [] : [`credential: ${request.credential}`];
  const body = request.body === null ? [] : bodyLines(request.body);
  const path = visible(cut(request.path, BODY_CHARACTERS));
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

function field(name: string, values: readonly string[], paint: Paint): readonly string[] {
  // The bar keeps a line of the target from coming first, where a build server would look for a command.
  return values.map(
    (value, at) => `  ${paint('quiet', (at === 0 ? name : '').padEnd(10))}${paint('quiet', '│')} ${value}`,
  );
}

/** The request that was answered otherwise, with the one element in which it differs. */
function siblingLines({ sibling }: FoldedFinding, run: RunArtefacts): readonly string[] {
  if (sibling === undefined) return [];
  const other = run.exchanges.find(({ seq }) => seq === sibling.seq);
  const answer = other === undefined ? '' : ` got ${answerPhrase(other)}`;
  return [phrase(`request ${sibling.seq}${answer}: ${sibling.difference}`)];
}

function findingLines(finding: FoldedFinding, run: RunArtefacts, paint: Paint): readonly string[] {
  const exchange = exampleOf(finding, run);
  const times = finding.count > 1 ? [`seen ${finding.count} times; the smallest example is shown`] : [];
  const random = exchange?.tag.origin;
  return [
    ...field('expected', [phrase(finding.expected)], paint),
    ...field('actual', [paint('bad', phrase(finding.actual))], paint),
    ...field('where', [phrase(finding.where), ...times], paint),
    ...field('variation', finding.about === '' ? [] : [phrase(finding.about)], paint),
    ...field('unlike', siblingLines(finding, run), paint),
    ...field('random', random === undefined ? [] : [`seed ${random.seed}, path ${random.path}`], paint),
    ...(exchange === undefined
      ? field('request', [`exchange ${finding.example}, which the record does not hold`], paint)
      : [
          ...field('request', requestLines(exchange), paint),
          ...field('response', responseLines(exchange), paint),
          ...field(
            'trace',
            [traceOf(exchange)].flatMap((id) => id ?? []),
            paint,
          ),
          ...field('curl', [curlLine(exchange, run.results)], paint),
        ]),
  ];
}

function otherFindings(findings: readonly FoldedFinding[], paint: Paint): readonly string[] {
  const shown = findings.slice(0, OTHER_FINDINGS).map(({ expected, actual, where, count, example }) => {
    const times = count > 1 ? `, ${count} times` : '';
    const [wanted, got, place] = [expected, actual, where].map((text) => visible(cut(text, PART_CHARACTERS)));
    return `expected ${wanted}, got ${got} in ${place} (exchange ${example}${times})`;
  });
  const more = findings.length - shown.length;
  return field('also', [...shown, ...(more > 0 ? [counted(more, 'more finding')] : [])], paint);
}

function headline({ requirement, one }: CaseOfRequirement, run: RunArtefacts, paint: Paint): readonly string[] {
  const { mark, tone, word } = LOOKS[one.verdict];
  const level = one.verdict === 'warning' ? `${requirement.level}, a failure under --strict` : requirement.level;
  const { reading } = requirement;
  const known = knownIn(run).get(one.id);
  return [
    `${paint(tone, `${mark} ${word}`)} ${paint('strong', one.id)} (${level}, section ${requirement.section})`,
    `  ${requirement.statement}`,
    ...field('known', known === undefined ? [] : [phrase(knownPhrase(known))], paint),
    ...field('reading', reading === undefined ? [] : [readingSentence(reading)], paint),
  ];
}

/** A failing case in full. */
export function failureLines({ first, alike }: FailureGroup, run: RunArtefacts, paint: Paint): readonly string[] {
  const { one } = first;
  const [finding, ...others] = shownFindings(one);
  return [
    ...headline(first, run, paint),
    ...(finding === undefined ? field('reason', [phrase(reasonOf(one))], paint) : findingLines(finding, run, paint)),
    ...otherFindings(others, paint),
    ...field('same in', alike.length === 0 ? [] : [alike.join(', ')], paint),
    ...field('replay', [replayCommand(one, run)], paint),
    '',
  ];
}

/** A case by itself in full, without colour and a final newline. */
export function failureText(first: CaseOfRequirement, run: RunArtefacts): string {
  return failureLines({ first, alike: [] }, run, painter(false)).join('\n').trimEnd();
}

/** A failing case on one line, and its replay command. */
export function shortFailure({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
  const { one, requirement } = first;
  const more = alike.length === 0 ? '' : ` and ${counted(alike.length, 'other case')}`;
  return [
    `${LOOKS[one.verdict].mark} ${one.id}${more}: ${phrase(one.reason ?? requirement.statement)}`,
    `    ${replayCommand(one, run)}`,
  ];
}
