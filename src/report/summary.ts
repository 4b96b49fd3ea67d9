/** summary.md: the run on one page, for a job summary, a comment or a plain text reader. */

import { SHOWN } from '../contract/limits.ts';
import { questionsSentence } from '../verdict/sentence.ts';
import { type Cause, gonePhrase, outcomeLine, reasonsOf, requestLine, rerunCommand } from './causes.ts';
import { knownPhrase } from './gate.ts';
import {
  actionsOf,
  type CaseOfRequirement,
  callsSentence,
  type Difference,
  type FailureGroup,
  failingCases,
  foldAlike,
  gateWord,
  LOOKS,
  type Notice,
  namedFacts,
  newFirst,
  noticesOf,
  type OpenCases,
  type OpenGroup,
  openGroups,
  outcomeOf,
  questionGroups,
  type RunArtefacts,
  trafficSentence,
  WORST_FIRST,
  warningCases,
} from './model.ts';
import { capitalized, code, counted, escaped } from './text.ts';

function section(heading: string, items: readonly (readonly string[])[]): readonly string[] {
  if (items.length === 0) return [];
  const rest = items.length - SHOWN.entries;
  const more = rest > 0 ? [`- and ${counted(rest, 'more entry', 'more entries')} in results.json`] : [];
  return [`### ${heading}`, '', ...items.slice(0, SHOWN.entries).flatMap(item), ...more, ''];
}

/** An entry of a list: its first line, and the others below it. */
const item = ([first = '', ...others]: readonly string[]): readonly string[] => [
  `- ${first}`,
  ...others.map((line) => `  - ${line}`),
];

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, SHOWN.named).map((id) => code(id));
  return [...shown, ...(ids.length > SHOWN.named ? [`${ids.length - SHOWN.named} more`] : [])].join(', ');
}

function causeItem({ first: { requirement, one }, places, what, example, extent, isNew }: Cause): readonly string[] {
  const shown = (text: string): string => code(text, 400);
  return [
    `${LOOKS[one.verdict].mark} ${isNew ? '**NEW** ' : ''}**${escaped(requirement.id)}** on ${escaped(places)}: ${escaped(requirement.statement)}`,
    ...what.map(([term, text]) => `${term}: ${code(text)}`),
    ...(example === undefined
      ? []
      : [
          `request: ${shown(example.request)}, ${code(example.about)}, exchange ${example.exchange.seq}`,
          `response: ${shown(example.response)}`,
        ]),
    extent,
  ];
}

function failureItem({ first, alike }: FailureGroup, run: RunArtefacts): readonly string[] {
  const { requirement, one } = first;
  const [finding] = one.findings;
  const reading = requirement.reading === undefined ? '' : `, reading ${escaped(requirement.reading)}`;
  const { mark, word } = LOOKS[one.verdict];
  const what =
    finding === undefined ? code(one.reason ?? '') : `expected ${code(finding.expected)}, got ${code(finding.actual)}`;
  return [
    `${mark} ${gateWord(one, run)}${word} ${listed([one.id, ...alike])} (${requirement.level}, section ${escaped(requirement.section)}${reading}): ${what}`,
    `rerun: ${code(rerunCommand(one, run), 600)}`,
  ];
}

const remedyLine = ({ remedy }: OpenGroup): readonly string[] =>
  remedy === undefined ? [] : [`to resolve: ${code(remedy)}`];

function openItem(group: OpenCases): readonly string[] {
  const { mark, word } = LOOKS[group.verdict];
  return [`${mark} ${word}, ${group.title}: ${code(group.reason)}`, ...remedyLine(group), listed(group.cases)];
}

const questionItem = (group: OpenGroup): readonly string[] => [
  `${group.title} of ${listed(group.cases)}: ${code(group.reason)}`,
  ...remedyLine(group),
];

function noticeSection({ title, sentences }: Notice): readonly string[] {
  const items = sentences.map((text) => [code(text)]);
  return section(title, items);
}

/** The most telling causes or what an incomplete run lacks, the end of a target that stopped, and what needs action. */
function firstLines(run: RunArtefacts): readonly string[] {
  const { causes, open, lastRequests } = reasonsOf(run);
  const items = [...causes.map(causeItem), ...open.map(openItem)];
  const last = lastRequests.map((one) => [
    `exchange ${one.seq}: ${code(requestLine(one), 400)}, ${code(outcomeLine(one))}`,
  ]);
  const title =
    causes.length === 0 ? 'What is missing' : causes[0]?.isNew ? 'Likely causes of what is new' : 'Likely causes';
  const scope = items.length > SHOWN.first ? ` (the first ${SHOWN.first} of ${items.length})` : '';
  return [
    ...section(`${title}${scope}`, items.slice(0, SHOWN.first)),
    ...section('What may have taken the target down, and the requests after it', last),
    ...actionsOf(run.results).flatMap(noticeSection),
  ];
}

/** What changed since the baseline, a section for each kind of change. */
export function differenceLines({ groups }: Difference): readonly string[] {
  return groups.flatMap(({ title, entries }) => {
    const items = entries.map(({ name, detail }) => [`${code(name)}${detail === '' ? '' : `: ${code(detail)}`}`]);
    return section(`${title} (${entries.length})`, items);
  });
}

/** What is new, what is known, folded, with the owner and a link to the issue, and what is gone. */
function gateLines(run: RunArtefacts): readonly string[] {
  const { new: fresh = [], known = [], gone = [] }: Partial<NonNullable<RunArtefacts['gate']>> = run.gate ?? {};
  const knownItems = known.map(({ issue, ...one }) => {
    const link = issue === undefined ? '' : ` [issue](<${new URL(issue).href}>)`;
    return [`${code(one.case)}: ${code(knownPhrase(one))}${link}`];
  });
  const list = section('Known failures', knownItems);
  return [
    ...section(
      'New',
      fresh.map((one) => [`**NEW** ${code(one.case)}, ${one.kind}: ${code(one.detail)}`]),
    ),
    ...(list.length === 0
      ? []
      : [
          `<details><summary>${counted(known.length, 'known failure')}</summary>`,
          '',
          ...list.slice(2),
          '</details>',
          '',
        ]),
    ...section(
      'No longer there',
      gone.map((one) => [`${code(one.case)}: ${code(gonePhrase(one, run), 600)}`]),
    ),
  ];
}

/** The run in GitHub flavoured Markdown that reads well as plain text. */
export function renderSummary(run: RunArtefacts): string {
  const { results, gate } = run;
  const { profile, without, partial, target, seed, counts, suite } = results;
  const { sentence } = reasonsOf(run);
  const facts = namedFacts(run).map(([name, value]) => `${escaped(name)} ${code(value)}`);
  const narrowed = without.length === 0 ? '' : ` without ${code(without.join(', '))}`;
  const cases = WORST_FIRST.filter((one) => counts.cases[one] > 0);
  const failures = (cases: readonly CaseOfRequirement[]) =>
    foldAlike(newFirst(cases, run)).map((group) => failureItem(group, run));
  const open = [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')];
  const lines = [
    `## PCS conformance: ${outcomeOf(run)}`,
    '',
    ...(gate?.sentences ?? []).flatMap((sentence) => [code(capitalized(sentence), 600), '']),
    ...(run.difference === undefined ? [] : [`Since the baseline: ${code(run.difference.summary)}`, '']),
    // Text of a target can stand in the sentence.
    /^[\w ,;]+$/.test(sentence) ? `${capitalized(sentence)}.` : code(sentence, 600),
    '',
    ...gateLines(run),
    ...firstLines(run),
    '### The run',
    '',
    `Profile ${profile}${narrowed}${partial ? ', **partial**' : ''}, target ${code(target)}, seed ${seed}, ` +
      `${counted(counts.requests, 'request')}, ${callsSentence(counts)}, ${escaped(`${suite.name} ${suite.version}`)}.`,
    '',
    ...(facts.length === 0 ? [] : [`Run: ${facts.join(', ')}.`, '']),
    results.traffic === undefined
      ? `Questions: ${questionsSentence(results.questions)}.`
      : `Traffic: ${trafficSentence(results.traffic)}.`,
    `Cases: ${cases.map((one) => `${LOOKS[one].mark} ${counts.cases[one]} ${LOOKS[one].word}`).join(', ')}.`,
    '',
    ...(run.difference === undefined ? [] : differenceLines(run.difference)),
    ...section('Failing', failures(failingCases(results))),
    ...section('Warnings', failures(warningCases(results))),
    ...section('Open', open.map(openItem)),
    ...section('Questions without an answer', questionGroups(results).map(questionItem)),
    ...noticesOf(results).flatMap(noticeSection),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
