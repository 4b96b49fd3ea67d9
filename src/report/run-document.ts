/** The report of a run: each of its parts once, and the order of parts in each view. */

import { gapById } from '../../suites/observations/index.ts';
import { SHOWN } from '../contract/limits.ts';
import { counted, groupBy, grouped } from '../contract/lists.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { casesSentence, questionsSentence, waitsSentence } from '../verdict/sentence.ts';
import { codeSpan, foldedBlocks, given, linkTo, list, paragraph, partOf, toned, value } from './blocks.ts';
import { alikeIn, reasonsOf } from './causes.ts';
import { againFact, gonePhrase } from './commands.ts';
import type { Block, Fact, Part, Span, Text } from './document.ts';
import { causeEntry, causeLines, foundBlocks, knownText, openEntry } from './found.ts';
import { foldedChanges, knownPhrase } from './gate.ts';
import { outcomeLine, requestLine } from './messages.ts';
import {
  actionsOf,
  allCases,
  COLOURS,
  callsSentence,
  colourOf,
  type DifferenceGroup,
  exitOf,
  failingCases,
  headlineOf,
  LOOKS,
  namedFacts,
  noticesOf,
  openGroups,
  operationName,
  outcomeSentence,
  questionGroups,
  type RunArtefacts,
  trafficSentence,
  warningCases,
} from './model.ts';
import { capitalized } from './text.ts';

interface DocumentSource {
  readonly run: RunArtefacts;
  readonly reasons: ReturnType<typeof reasonsOf>;
}

/** A sentence of the run; it may contain target text. */
function sentenceSpan(text: string): Span {
  const whole = `${capitalized(text)}${/[.!?…]$/.test(text) ? '' : '.'}`;
  return /^[\w ,;.]+$/.test(whole) ? whole : value(whole);
}

function verdictParts(id: string, { run: { results } }: DocumentSource, why: string, more: readonly Block[] = []) {
  const colon = results.verdict === 'no breach' ? '' : ':';
  return partOf(id, '', [
    paragraph(toned(COLOURS[results.colour].tone, results.sentence), `${colon} `, value(why)),
    ...more,
  ]);
}

/** What the run cost, the command that repeats it, and its time. */
function costLines({ run: { results, facts } }: DocumentSource): readonly Block[] {
  const { counts, seed, target, waits = [], traffic, questions } = results;
  const quiet = (...text: Text): Block => ({ kind: 'paragraph', text, tone: 'quiet' });
  if (traffic !== undefined) return [quiet(value(target), `: ${trafficSentence(traffic)}`)];
  const waiting = waits.length === 0 ? '' : `, ${waitsSentence(waits)}`;
  const moment = (text: string): string => text.replace(/\.\d+/, '');
  const times = facts ? `; ${moment(facts.startedAt)} to ${moment(facts.endedAt)}` : '';
  return [
    quiet(value(target), `: ${counted(counts.requests, 'request')}, ${callsSentence(results)}${waiting}`),
    quiet(`seed ${seed}${times}; ${questionsSentence(questions)}`),
  ];
}

function crashParts({ reasons: { lastRequests } }: DocumentSource): readonly Part[] {
  const last = lastRequests.map((exchange) => {
    return [linkTo(exchange.seq), ' ', codeSpan(requestLine(exchange)), ': ', value(outcomeLine(exchange))];
  });
  const title = 'What may have taken the target down, and the requests after it';
  return partOf('crash', title, list(last), { tone: 'bad' });
}

/** The most telling causes, as many as there is room for, the others on lines; or what an incomplete run lacks. */
function whyParts({ run, reasons: { causes, open } }: DocumentSource, room: number = SHOWN.first): readonly Part[] {
  const alike = alikeIn(causes);
  const entries = [...alike.slice(0, room).map((equal) => causeEntry(equal, run)), ...open.map(openEntry)];
  // Open cases follow every cause, so the count of further ones is of open cases only.
  const more = entries.length - room;
  const [cause] = causes;
  const isOfWarnings = cause?.first.result.verdict === 'warning' && !run.results.strict;
  const likely = cause?.isNew ? 'Likely causes of what is new' : 'Likely causes';
  const title = cause === undefined ? 'What is missing' : isOfWarnings ? 'Warnings by cause' : likely;
  const blocks = [
    ...entries.slice(0, room),
    ...list(causeLines(alike.slice(room).flat())),
    ...(more > 0 ? [paragraph({ kind: 'part', id: 'open', text: `${more} more below` })] : []),
  ];
  return partOf('why', title, blocks, { count: alike.length + open.length });
}

const noticeParts = (notices: ReturnType<typeof actionsOf>, tone: Part['tone']): readonly Part[] =>
  notices.flatMap(({ id, title, sentences }) =>
    partOf(id, title, list(sentences.map((text) => [value(text)])), { tone }),
  );

const actions = ({ run: { results }, reasons }: DocumentSource): readonly Part[] =>
  noticeParts(actionsOf(results, reasons.lastRequests.length > 0), 'bad');

/** A phrase in its parts, each shortened alone: a line with 40 stimuli was cut after 600 characters. */
const inParts = (phrase: string): Text =>
  phrase.split('; ').flatMap((part, at) => (at === 0 ? [value(part)] : ['; ', value(part)]));

/** New findings; known ones, collapsed, with owner and link to the issue; and those that are gone. */
function gateParts({ run }: DocumentSource): readonly Part[] {
  const { gate, difference } = run;
  if (gate === undefined) return [];
  const row = (mark: Span, ids: readonly string[], text: Text): Text => {
    const links = ids.flatMap((id, at): Text => [at === 0 ? ' ' : ', ', { kind: 'case', id }]);
    return [mark, ...links, ': ', ...text];
  };
  const names = (entries: readonly { readonly case: string }[]): readonly string[] => entries.map((each) => each.case);
  const fresh = foldedChanges(gate.new).map(({ cases, phrase }) => row(toned('bad', 'NEW'), cases, inParts(phrase)));
  const known = [...groupBy(gate.known, knownPhrase).values()].map((equal) =>
    row(toned('quiet', 'KNOWN'), [...new Set(names(equal))], knownText(equal[0])),
  );
  const gone = foldedChanges(gate.gone).map(({ entry, cases, phrase }) =>
    row(toned('good', 'GONE'), cases, inParts(gonePhrase({ ...entry, detail: phrase }, run))),
  );
  const count = (findings: readonly unknown[]): string => counted(findings.length, 'known finding');
  const blocks = [
    ...list(fresh),
    ...foldedBlocks(count(gate.known), names(gate.known), list(known)),
    // A collapsed list on a screen shows no command that takes an entry off the list.
    ...(gone.length > SHOWN.first
      ? foldedBlocks(`${count(gate.gone)} gone`, names(gate.gone), list(gone))
      : list(gone)),
    ...(difference ? [paragraph('Since the baseline: ', value(difference.summary))] : []),
  ];
  return partOf('gate', 'New, known and gone', blocks);
}

/** A part for each kind of change since the baseline. */
export const differenceParts = (groups: readonly DifferenceGroup[], isFolded = false): readonly Part[] =>
  groups.flatMap(({ title, count, entries }, at) => {
    const id = at === 0 ? 'difference' : `difference-${at + 1}`;
    const items = entries.map(({ name, detail }) => [
      codeSpan(name),
      ...(detail === '' ? [] : [': ', ...inParts(detail)]),
    ]);
    const names = entries.map(({ name }) => name);
    const blocks = isFolded ? foldedBlocks(`Show ${counted(count, 'change')}`, names, list(items)) : list(items);
    return partOf(id, title, blocks, { count });
  });

/** The choices of the target by gap; operations with the same choice share a line. */
function choiceParts({ run: { choices = [] } }: DocumentSource): readonly Part[] {
  const names = (equal: readonly { readonly operation: string }[]): string =>
    equal.length === OPERATION_IDS.length && equal.every(({ operation }) => operation !== 'undocumented')
      ? 'all operations'
      : equal.map(({ operation }) => operationName(operation)).join(', ');
  const items = [...groupBy(choices, ({ gap }) => gap)].map(([gap, alike]): readonly [Text, ...Text[]] => {
    const made = [...groupBy(alike, ({ choice }) => choice)];
    return [
      [gapById(gap)?.question ?? '', ' ', codeSpan(gap)],
      ...made.map(([choice, equal]): Text => [value(choice), `: ${names(equal)}`]),
    ];
  });
  const gaps = choices.map(({ gap }) => gap);
  const shown = choices.length === 0 ? [] : [{ kind: 'list', items } as const];
  const blocks = foldedBlocks(`Show the choices in ${counted(items.length, 'gap')}`, gaps, shown);
  const lead = 'What the target does where the specification is silent. This is recorded and never judged.';
  return partOf('choices', 'Unspecified behaviour', blocks, { count: choices.length, lead });
}

const PARTS = {
  verdict(source) {
    const { gate } = source.run;
    const headline = toned(COLOURS[colourOf(source.run)].tone, capitalized(headlineOf(source.run)));
    const counts = gate && `${gate.new.length} new, ${gate.known.length} known, ${gate.gone.length} gone`;
    const first = counts === undefined ? [] : [paragraph(headline, `: ${counts}.`)];
    return [...partOf('outcome', '', first), ...verdictParts('verdict', source, source.reasons.sentence)];
  },
  end: (source) => verdictParts('end', source, source.run.results.reason, costLines(source)),
  crash: crashParts,
  why: (source) => whyParts(source),
  cards: (source) => whyParts(source, SHOWN.lines),
  map: ({ run: { results } }) => partOf('map', 'At a glance', [{ kind: 'map', results }]),
  action: actions,
  'open calls': (source) => actions(source).filter(({ id }) => id === 'calls'),
  notes: ({ run }) => noticeParts(noticesOf(run.results), 'warn'),
  passed({ run: { results } }) {
    const passed = results.requirements.filter(({ verdict }) => verdict === 'pass').length;
    if (passed === 0) return [];
    const all = counted(results.requirements.length, 'requirement');
    return partOf('passed', '', [paragraph(toned('good', `${LOOKS.pass.mark} ${grouped(passed)} of ${all} passed`))]);
  },
  gate: gateParts,
  outcome({ run }) {
    const { gate, results } = run;
    if (gate === undefined) return [];
    const said = `${capitalized(headlineOf(run))} (exit ${exitOf(run)}). The verdict is ${results.sentence}.`;
    return partOf('outcome', '', [
      ...gate.sentences.map((text) => paragraph('Gate: ', value(text), '.')),
      paragraph(said),
    ]);
  },
  run({ run, reasons }) {
    const facts = [...verdictFacts(run, reasons), ...aboutOf(run)];
    const items = facts.map(([name, text = [], ...more]) => [[`${name}: `, ...text], ...more] as const);
    return partOf('run', 'The run', [{ kind: 'list', items }]);
  },
  // The gate lists the rest.
  difference: ({ run: { difference } }) =>
    differenceParts(difference?.groups.filter(({ inGate }) => !inGate) ?? [], true),
  failures({ run }) {
    const cases = failingCases(run.results);
    const more = { tone: 'bad', count: cases.length, filtered: true } as const;
    return partOf('failures', 'Failing', foundBlocks(cases, run, SHOWN.failures), more);
  },
  warnings({ run }) {
    const cases = warningCases(run.results);
    const lead = 'Recommendations. They fail the run only under --strict.';
    const more = { tone: 'warn', count: cases.length, lead, filtered: true } as const;
    return partOf('warnings', 'Warnings', foundBlocks(cases, run, 0), more);
  },
  open({ run: { results } }) {
    const groups = [...openGroups(results, 'inconclusive'), ...openGroups(results, 'not-exercised')];
    const count = groups.reduce((sum, { size }) => sum + size, 0);
    const more = { tone: 'open', count, filtered: true } as const;
    return partOf('open', 'Open cases', groups.map(openEntry), more);
  },
  questions({ run: { results } }) {
    const count = results.questions.planned - results.questions.answered;
    const entries = questionGroups(results).map(openEntry);
    return partOf('questions', 'Questions without an answer', entries, { tone: 'open', count });
  },
  matrix: ({ run: { results } }) => partOf('matrix', 'Requirements and operations', [{ kind: 'matrix', results }]),
  choices: choiceParts,
  cases({ run: { results } }) {
    const more = { count: allCases(results).length, filtered: true } as const;
    return partOf('cases', 'All cases', [{ kind: 'requirements', results }], more);
  },
  exchanges({ run: { exchanges } }) {
    const lead = 'Requests in the order in which they were sent, and what came back. evidence.har holds them in full.';
    const blocks = exchanges.length === 0 ? [] : [{ kind: 'exchanges', exchanges } as const];
    return partOf('exchanges', 'Exchanges', blocks, { count: exchanges.length, lead });
  },
} as const satisfies Readonly<Record<string, (source: DocumentSource) => readonly Part[]>>;

const OPEN = ['warnings', 'open', 'questions', 'notes'] as const;
// A screen shows the end, so the longest parts come there, followed by calls that may be open, and the verdict again.
const ENDING = ['open calls', 'failures', 'end', 'difference', 'gate', 'outcome'] as const;

const VIEWS = {
  normal: ['verdict', 'crash', 'why', 'action', 'passed', ...OPEN, ...ENDING],
  quiet: ['action', 'failures', 'end', 'gate', 'outcome'],
  gate: ['difference', 'gate', 'outcome'],
  markdown: ['gate', 'crash', 'why', 'action', 'run', 'difference', 'failures', ...OPEN],
  page: [
    ...['crash', 'map', 'cards', 'action', 'gate', 'difference', 'notes', 'failures', 'warnings', 'open', 'questions'],
    ...['matrix', 'choices', 'cases', 'exchanges'],
  ] as readonly (keyof typeof PARTS)[],
} as const satisfies Readonly<Record<string, readonly (keyof typeof PARTS)[]>>;

/** If a run judged nothing, every list would repeat its one reason, with remedies for what was never reached. */
const OF_NOTHING: readonly (keyof typeof PARTS)[] = ['crash', 'action', 'run', 'end', 'exchanges', 'outcome'];

/** The facts beside the verdict. */
function verdictFacts({ results, trend }: RunArtefacts, reasons: DocumentSource['reasons']): readonly Fact[] {
  const cases = casesSentence(results.counts.cases, results.strict);
  return given(
    cases !== reasons.sentence && ['cases', [cases]],
    ['target', [codeSpan(results.target)]],
    trend !== undefined && ['failing cases by run', [trend]],
    results.only.length > 0 && ['only', [value(results.only.join(', '))]],
  );
}

/** How the run was made, and the command that repeats it. */
function aboutOf(run: RunArtefacts): readonly Fact[] {
  const { results, facts } = run;
  const { counts, waits = [], traffic, questions, conditions } = results;
  const took = facts && (Date.parse(facts.endedAt) - Date.parse(facts.startedAt)) / 1_000;
  return given(
    ['requests', [grouped(counts.requests)]],
    ['calls placed', [callsSentence(results)]],
    took !== undefined && ['time', [`${took} s`]],
    waits.length > 0 && ['waiting', [waitsSentence(waits)]],
    traffic ? ['traffic', [trafficSentence(traffic)]] : ['questions', [questionsSentence(questions)]],
    ...namedFacts(run).map(([name, text]): Fact => [name, [value(text)]]),
    conditions.length > 0 && ['conditions', ...conditions.map((text) => [value(text)])],
    againFact(run),
  );
}

/** The report of a run as that view shows it. Pure: equal runs give equal documents. */
export function documentOf(run: RunArtefacts, view: keyof typeof VIEWS) {
  const source: DocumentSource = { run, reasons: reasonsOf(run) };
  const { results, gate } = run;
  const because = sentenceSpan(source.reasons.sentence);
  const { pass, fail, warning, error } = results.counts.cases;
  const isEmpty = pass + fail + warning + error === 0 && results.endedEarly !== null;
  const parts = VIEWS[view].filter((name) => !isEmpty || OF_NOTHING.includes(name));
  const told = gate?.sentences;
  return {
    title: `PCS conformance: ${outcomeSentence(run)}`,
    lead:
      told === undefined
        ? [[because]]
        : [...told.map((text) => [sentenceSpan(text)]), [`${results.sentence}: `, because]],
    parts: parts.flatMap((name) => PARTS[name](source)),
    // What a page begins with, and what is collapsed below.
    headline: capitalized(headlineOf(run)),
    colour: colourOf(run),
    target: results.target,
    facts: verdictFacts(run, source.reasons),
    about: aboutOf(run),
  };
}
