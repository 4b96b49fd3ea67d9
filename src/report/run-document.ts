/** The report of a run: each of its parts once, and which of them a view shows, in which order. */

import { gapById } from '../../suites/observations/index.ts';
import { SHOWN } from '../contract/limits.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import type { RunFacts } from '../run/facts.ts';
import { butFor, casesSentence, questionsSentence, waitsSentence } from '../verdict/sentence.ts';
import { type Reasons, reasonsOf } from './causes.ts';
import { gonePhrase, runCommand } from './commands.ts';
import {
  type Block,
  code,
  type Document,
  type Fact,
  list,
  type Part,
  paragraph,
  type Span,
  type Text,
  toned,
  value,
} from './document.ts';
import { causeEntry, openEntry } from './entries.ts';
import { foundBlocks, knownText } from './found.ts';
import type { GateOutcome } from './gate.ts';
import { outcomeLine, requestLine } from './messages.ts';
import {
  actionsOf,
  allCases,
  type CaseOfRequirement,
  callsSentence,
  choicesIn,
  type DifferenceGroup,
  failingCases,
  headlineOf,
  LOOKS,
  lookOf,
  type Notice,
  namedFacts,
  noticesOf,
  type OpenGroup,
  openGroups,
  operationName,
  outcomeOf,
  profileOf,
  questionGroups,
  type RunArtefacts,
  STYLE_OF_RUN,
  trafficSentence,
  warningCases,
} from './model.ts';
import { capitalized, counted, grouped } from './text.ts';

interface Source {
  readonly run: RunArtefacts;
  readonly reasons: Reasons;
}

/** A sentence of the run; a text of a target can stand in it. */
function sentence(text: string): Span {
  const whole = `${capitalized(text)}${/[.!?…]$/.test(text) ? '' : '.'}`;
  return /^[\w ,;.]+$/.test(whole) ? whole : value(whole, SHOWN.paragraph);
}

function verdictPart(id: string, { run: { results } }: Source, why: string, more: readonly Block[] = []): Part {
  const { verdict, partial, unjudged = [], traffic } = results;
  const word = toned(LOOKS[STYLE_OF_RUN[verdict]].tone, verdict.toUpperCase());
  const limits = verdict === 'conformant' ? butFor(unjudged) : '';
  const scope =
    traffic === undefined
      ? `${limits} (profile ${profileOf(results)}${partial ? ', partial' : ''}):`
      : verdict === 'no breach'
        ? ''
        : ':';
  return { id, title: '', blocks: [paragraph(word, `${scope} `, value(why, SHOWN.paragraph)), ...more] };
}

/** What the run cost, and what repeats it and when it was. */
function costLines({ run: { results, facts } }: Source): readonly Block[] {
  const { counts, seed, target, waits = [], traffic, questions } = results;
  const quiet = (...text: Text): Block => ({ kind: 'paragraph', text, tone: 'quiet' });
  if (traffic !== undefined) return [quiet(value(target), `: ${trafficSentence(traffic)}`)];
  const waiting = waits.length === 0 ? '' : `, ${waitsSentence(waits)}`;
  const { startedAt, endedAt }: Partial<RunFacts> = facts ?? {};
  const moment = (text = ''): string => text.replace(/\.\d+/, '');
  const times = startedAt === undefined ? '' : `; ${moment(startedAt)} to ${moment(endedAt)}`;
  return [
    quiet(value(target), `: ${counted(counts.requests, 'request')}, ${callsSentence(counts)}${waiting}`),
    quiet(`seed ${seed}${times}; ${questionsSentence(questions)}`),
  ];
}

/** The requests around the moment at which the target stopped responding. */
function crashParts({ reasons: { lastRequests } }: Source): readonly Part[] {
  const last = lastRequests.map(
    (exchange): Text => [
      { kind: 'exchange', seq: exchange.seq },
      ' ',
      code(requestLine(exchange)),
      ': ',
      value(outcomeLine(exchange)),
    ],
  );
  const title = 'What may have taken the target down, and the requests after it';
  return last.length === 0 ? [] : [{ id: 'crash', title, short: 'Crash', tone: 'bad', blocks: [list(last)] }];
}

/** The most telling causes, or what an incomplete run lacks. */
function whyParts({ run, reasons: { causes, open } }: Source): readonly Part[] {
  const entries = [...causes.map((cause) => causeEntry(cause, run)), ...open.map(openEntry)];
  const more = entries.length - SHOWN.first;
  const [cause] = causes;
  const [where, title] =
    cause === undefined
      ? ['open', 'What is missing']
      : cause.first.one.verdict === 'warning' && !run.results.strict
        ? ['warnings', 'Warnings by cause']
        : ['failures', cause.isNew ? 'Likely causes of what is new' : 'Likely causes'];
  const rest = more > 0 ? [paragraph({ kind: 'part', id: where, text: `${more} more below` })] : [];
  const blocks = [...entries.slice(0, SHOWN.first), ...rest];
  return entries.length === 0 ? [] : [{ id: 'why', title, short: 'Why', count: entries.length, blocks }];
}

const noticeParts = (notices: readonly Notice[], tone: Part['tone'] = 'warn'): readonly Part[] =>
  notices.map(({ id, title, sentences }) => ({
    id,
    title,
    short: capitalized(id),
    tone,
    blocks: [list(sentences.map((text) => [value(text)]))],
  }));

/** What a reader has to act on. */
const actions = ({ run: { results }, reasons }: Source): readonly Part[] =>
  noticeParts(actionsOf(results, reasons.lastRequests.length > 0), 'bad');

/** What is new, what is known, folded, with its owner and a link to the issue, and what is gone. */
function gateBlocks(run: RunArtefacts): readonly Block[] {
  const { gate, difference } = run;
  const { new: fresh = [], known = [], gone = [] }: Partial<GateOutcome> = gate ?? {};
  const lists = (items: readonly Text[]): readonly Block[] => (items.length === 0 ? [] : [list(items)]);
  const named = (id: string): Span => ({ kind: 'case', id });
  const knownItems = known.map((one): Text => [toned('quiet', 'KNOWN'), ' ', named(one.case), ': ', ...knownText(one)]);
  return [
    ...lists(fresh.map((one) => [toned('bad', 'NEW'), ' ', named(one.case), `, ${one.kind}: `, value(one.detail)])),
    ...(known.length === 0
      ? []
      : [{ kind: 'fold', title: counted(known.length, 'known failure'), blocks: lists(knownItems) } as const]),
    ...lists(
      gone.map((one) => [
        toned('good', 'GONE'),
        ' ',
        named(one.case),
        ': ',
        value(gonePhrase(one, run), SHOWN.paragraph),
      ]),
    ),
    ...(difference ? [paragraph('Since the baseline: ', value(difference.summary))] : []),
  ];
}

/** A part for each kind of change since the baseline. */
export const differenceParts = (groups: readonly DifferenceGroup[]): readonly Part[] =>
  groups.map(({ title, entries }, at) => ({
    id: at === 0 ? 'difference' : `difference-${at + 1}`,
    title,
    short: 'Changes',
    count: entries.length,
    blocks: [list(entries.map(({ name, detail }) => [code(name), ...(detail === '' ? [] : [': ', value(detail)])]))],
  }));

/** Cases that are open for one reason, or questions without an answer. */
const openParts = (id: string, title: string, groups: readonly OpenGroup[], more: Partial<Part>): readonly Part[] =>
  groups.length === 0 ? [] : [{ id, title, tone: 'open', blocks: groups.map(openEntry), ...more }];

function foundParts(id: string, title: string, cases: readonly CaseOfRequirement[], full: number, run: RunArtefacts) {
  const tone = id === 'failures' ? 'bad' : 'warn';
  const lead = id === 'failures' ? {} : { lead: 'Recommendations. They fail the run only under --strict.' };
  const blocks = foundBlocks(cases, run, full);
  return cases.length === 0 ? [] : [{ id, title, tone, count: cases.length, ...lead, filtered: true, blocks } as const];
}

/** The choices of the target by gap; operations with the same choice share a line. */
function choiceParts({ choices = [] }: RunArtefacts): readonly Part[] {
  const gaps = [...new Set(choices.map(({ gap }) => gap))];
  const names = (operations: readonly string[]): string =>
    OPERATION_IDS.every((id) => operations.includes(id)) && operations.length === OPERATION_IDS.length
      ? 'all operations'
      : operations.map(operationName).join(', ');
  const items = gaps.map((gap): readonly [Text, ...Text[]] => [
    [gapById(gap)?.question ?? '', ' ', code(gap)],
    ...choicesIn(gap, choices).map(({ choice, operations }) => [value(choice), `: ${names(operations)}`]),
  ]);
  const fold = {
    kind: 'fold',
    title: `Show the choices in ${counted(gaps.length, 'gap')}`,
    blocks: [{ kind: 'list', items }],
  } as const;
  const lead = 'What the target does where the specification is silent. This is recorded and never judged.';
  const about = { id: 'choices', title: 'Unspecified behaviour', short: 'Unspecified', count: choices.length };
  return gaps.length === 0 ? [] : [{ ...about, lead, blocks: [fold] }];
}

const PARTS = {
  verdict: (source) => [verdictPart('verdict', source, source.reasons.sentence)],
  end: (source) => [verdictPart('end', source, source.run.results.summary, costLines(source))],
  crash: crashParts,
  why: whyParts,
  action: actions,
  'open calls': (source) => actions(source).filter(({ id }) => id === 'calls'),
  notes: ({ run: { results } }) => noticeParts(noticesOf(results)),
  passed({ run: { results } }) {
    const passed = results.requirements.filter(({ verdict }) => verdict === 'pass').length;
    const all = counted(results.requirements.length, 'requirement');
    const text = toned('good', `${LOOKS.pass.mark} ${grouped(passed)} of ${all} passed`);
    return [{ id: 'passed', title: '', blocks: [paragraph(text)] }];
  },
  gate: ({ run }) =>
    run.gate === undefined
      ? []
      : [{ id: 'gate', title: 'New, known and gone', short: 'Gate', tone: 'strong', blocks: gateBlocks(run) }],
  outcome: ({ run: { gate, results } }) =>
    gate === undefined
      ? []
      : [
          {
            id: 'outcome',
            title: '',
            blocks: [
              ...gate.sentences.map((text) => paragraph('Gate: ', value(text, SHOWN.paragraph), '.')),
              paragraph(
                `The gate ${gate.code === 0 ? 'passes' : 'fails'} (exit ${gate.code}). The verdict remains ${results.verdict}.`,
              ),
            ],
          },
        ],
  run({ run, reasons }) {
    const facts = [...factsOf(run, reasons), ...aboutOf(run)];
    return [{ id: 'run', title: 'The run', blocks: [list(facts.map(([name, text = []]) => [`${name}: `, ...text]))] }];
  },
  // The gate lists the rest.
  difference: ({ run: { difference } }) => differenceParts(difference?.groups.filter(({ inGate }) => !inGate) ?? []),
  failures: ({ run }) => foundParts('failures', 'Failing', failingCases(run.results), SHOWN.failures, run),
  warnings: ({ run }) => foundParts('warnings', 'Warnings', warningCases(run.results), 0, run),
  open({ run: { results } }) {
    const groups = [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')];
    const count = groups.reduce((sum, { size }) => sum + size, 0);
    return openParts('open', 'Open cases', groups, { short: 'Open', count, filtered: true });
  },
  questions({ run: { results } }) {
    const { planned, answered } = results.questions;
    const more = { short: 'Questions', count: planned - answered };
    return openParts('questions', 'Questions without an answer', questionGroups(results), more);
  },
  matrix: ({ run: { results } }) => [
    { id: 'matrix', title: 'Requirements and operations', short: 'Matrix', blocks: [{ kind: 'matrix', results }] },
  ],
  choices: ({ run }) => choiceParts(run),
  cases({ run: { results } }) {
    const found = [...failingCases(results), ...warningCases(results)];
    const elsewhere = new Set(found.map(({ one }) => one.id));
    const blocks = [{ kind: 'requirements', requirements: results.requirements, elsewhere } as const];
    return [{ id: 'cases', title: 'All cases', count: allCases(results).length, filtered: true, blocks }];
  },
  exchanges: ({ run: { exchanges } }) =>
    exchanges.length === 0
      ? []
      : [
          {
            id: 'exchanges',
            title: 'Exchanges',
            count: exchanges.length,
            lead: 'Requests in the order in which they were sent, and what came back. evidence.har holds them in full.',
            blocks: [{ kind: 'exchanges', exchanges }],
          },
        ],
} as const satisfies Readonly<Record<string, (source: Source) => readonly Part[]>>;

const OPEN = ['warnings', 'open', 'questions', 'notes'] as const;
// A screen shows the end, so what needs the most room stands there, below calls that may be open, and the verdict again.
const ENDING = ['open calls', 'failures', 'end', 'difference', 'gate', 'outcome'] as const;

/** What each view shows, in order. */
const VIEWS = {
  normal: ['verdict', 'crash', 'why', 'action', 'passed', ...OPEN, ...ENDING],
  verbose: ['verdict', 'crash', 'why', 'action', 'cases', ...OPEN, ...ENDING],
  quiet: ['action', 'failures', 'end', 'gate', 'outcome'],
  gate: ['difference', 'gate', 'outcome'],
  markdown: ['gate', 'crash', 'why', 'action', 'run', 'difference', 'failures', ...OPEN],
  page: [
    ...['gate', 'crash', 'why', 'action', 'notes', 'matrix', 'difference', 'failures', 'warnings', 'open', 'questions'],
    ...['choices', 'cases', 'exchanges'],
  ] as readonly (keyof typeof PARTS)[],
} as const satisfies Readonly<Record<string, readonly (keyof typeof PARTS)[]>>;

/** What stands beside the verdict. */
function factsOf({ results }: RunArtefacts, reasons: Reasons): readonly Fact[] {
  const cases = casesSentence(results.counts.cases, results.strict);
  return [
    ...(cases === reasons.sentence ? [] : [['cases', [cases]] as const]),
    ['target', [code(results.target)]],
    ...(results.only.length === 0 ? [] : [['only', [value(results.only.join(', '))]] as const]),
  ];
}

/** How the run was made, and the command that makes it again. */
function aboutOf(run: RunArtefacts): readonly Fact[] {
  const { results, facts } = run;
  const { strict, seed, explore, counts, suite, waits = [], traffic, questions, only } = results;
  const took = facts && (Date.parse(facts.endedAt) - Date.parse(facts.startedAt)) / 1_000;
  const named: readonly (readonly [string, string | false | undefined])[] = [
    ['profile', profileOf(results)],
    ['requests', grouped(counts.requests)],
    ['calls placed', callsSentence(counts)],
    ['time', took !== undefined && `${took} s`],
    ['waiting', waitsSentence(waits)],
    ['seed', String(seed)],
    ['exploration', explore > 0 && `${explore} requests`],
    ['strict', strict && 'warnings count as failures'],
    traffic ? ['traffic', trafficSentence(traffic)] : ['questions', questionsSentence(questions)],
    ...namedFacts(run),
    ['suite', `${suite.name} ${suite.version}`],
  ];
  return [
    ...named.flatMap(([name, text]): readonly Fact[] => (text ? [[name, [value(text)]]] : [])),
    ['again', [{ kind: 'command', line: runCommand(results, only) }]],
  ];
}

/** The report of a run as that view shows it. Pure: equal runs give equal documents. */
export function documentOf(run: RunArtefacts, view: keyof typeof VIEWS): Document {
  const source: Source = { run, reasons: reasonsOf(run) };
  const { results, gate } = run;
  const because = sentence(source.reasons.sentence);
  return {
    title: `PCS conformance: ${outcomeOf(run)}`,
    lead:
      gate === undefined
        ? [[because]]
        : [...gate.sentences.map((text) => [sentence(text)]), [`Verdict ${results.verdict}: `, because]],
    parts: VIEWS[view].flatMap((name) => PARTS[name](source)),
    head: {
      headline: capitalized(headlineOf(run)),
      look: lookOf(run),
      target: results.target,
      facts: factsOf(run, source.reasons),
      about: aboutOf(run),
    },
  };
}
