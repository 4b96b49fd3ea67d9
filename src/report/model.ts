/**
 * What every report is rendered from: a judged run, its cases in groups, and the look of verdicts. The reasons are in
 * docs/design/reports.md.
 */

import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf, groupBy, grouped } from '../contract/lists.ts';
import { readingById } from '../contract/readings.ts';
import type { RepeatedFlag } from '../contract/settings.ts';
import type { Exchange, RecordedBody } from '../exchange/exchange.ts';
import type { Choice } from '../run/choices.ts';
import type { RunFacts } from '../run/facts.ts';
import { answerPhrase } from '../verdict/answer.ts';
import {
  type CaseResult,
  type Colour,
  type FoldedFinding,
  LADDER,
  type RequirementResult,
  type Results,
  type TrafficFacts,
  type UnansweredQuestion,
  type Verdict,
} from '../verdict/results.ts';
import type { Tone } from './document.ts';
import { type Change, type GateEntry, type GateOutcome, knownPhrase } from './gate.ts';

/** Entries that changed in the same way since the baseline. */
export interface DifferenceGroup {
  readonly title: string;
  /** `true` if a gate lists the entries as new, known or gone. */
  readonly inGate: boolean;
  /** The number of changes; an entry holds equal ones. */
  readonly count: number;
  readonly entries: readonly { readonly name: string; readonly detail: string }[];
}

/** What changed since a baseline, and the sentence that sums it up. */
export interface Difference {
  readonly summary: string;
  readonly groups: readonly DifferenceGroup[];
  /** No gate lists these. */
  readonly newWarnings: readonly Change[];
}

/** A judged run: its results, and the exchanges that they refer to by `seq`. */
export interface RunArtefacts {
  readonly results: Results;
  readonly exchanges: readonly Exchange[];
  /** What the target chose where the specification is silent, if that was read from the record. */
  readonly choices?: readonly Choice[];
  /** What changed since the baseline, if there is one. */
  readonly difference?: Difference;
  /** What the gate says, if there is a baseline or a list of known failures. */
  readonly gate?: GateOutcome;
  /** The failing cases of earlier runs and of this one as a line of bars, if the earlier ones were given. */
  readonly trend?: string;
  /** Start of the run in ms since the epoch, for formats that need a date (HAR); without it, the epoch itself. */
  readonly startedAt?: number;
  /** When and where it ran. */
  readonly facts?: RunFacts | undefined;
  /** The report folder as the user named it, for commands to paste; a default if absent, `null` for none. */
  readonly folder?: string | null;
  /** The exit code of the process, if it is not the gate's: a signal ended the run. */
  readonly exit?: number;
  /** Further flags of the run, for commands to paste; absent if there are none. */
  readonly repeated?: readonly RepeatedFlag[] | undefined;
}

/** Renders one file of the report folder, or `null`: a partial run has no badge. Pure: equal runs give equal bytes. */
export type Reporter = Readonly<{ file: string; render: (run: RunArtefacts) => string | null }>;

/** What the record says of a body besides its text, in phrases. */
export function bodyPhrases(body: RecordedBody): readonly string[] {
  return [
    counted(body.length, 'byte'),
    body.json === 'valid' ? 'JSON' : `not JSON: ${body.reason ?? 'unknown'}`,
    ...(body.pruned === true ? ['only the envelope or the beginning of the long text is in the record'] : []),
    ...(body.membersCut === true ? ['further members left out of the record'] : []),
    ...(body.cut === true ? ['truncated'] : []),
  ];
}

/** The facts of a run as names and texts, for people. */
export const namedFacts = ({ facts }: Pick<RunArtefacts, 'facts'>): readonly (readonly [string, string])[] =>
  facts ? Object.entries({ started: facts.startedAt, ended: facts.endedAt, host: facts.host }) : [];

/** Name of an operation; requests outside the documented operations share one. */
export const operationName = (operation: string): string =>
  operation === 'undocumented' ? 'other requests' : operation;

/** A case with the requirement that it judges. */
export interface CaseOfRequirement {
  readonly requirement: RequirementResult;
  readonly result: CaseResult;
}

/** Every case in the order of the plan. */
export const allCases = (results: Results): readonly CaseOfRequirement[] =>
  results.requirements.flatMap((requirement) => requirement.cases.map((result) => ({ requirement, result })));

/** `true` for a verdict that fails the run: under `--strict` a warning does too. */
export const isFailing = (verdict: Verdict, results: Results): boolean =>
  verdict === 'fail' || verdict === 'error' || (verdict === 'warning' && results.strict);

/** The cases that fail the run, and those in which the suite itself broke, in the order of the plan. */
export const failingCases = (results: Results): readonly CaseOfRequirement[] =>
  allCases(results).filter(({ result }) => isFailing(result.verdict, results));

/** A case under the gate: what is new in it, its new findings, and what is known about it if nothing is new. */
export function gatedOf({ id, findings }: CaseResult, { gate }: RunArtefacts) {
  const fresh: readonly GateEntry[] = gate?.new.filter((entry) => entry.case === id) ?? [];
  const known = fresh.length > 0 ? [] : (gate?.known.filter((entry) => entry.case === id) ?? []);
  return {
    fresh,
    newFindings: findings.filter((_, at) => fresh.some((entry) => entry.at === at)),
    // Those with different known reasons.
    known: [...groupBy(known, knownPhrase).values()].map(([first]) => first),
  };
}

/** The exit code of a run under a gate; a signal has its own. */
export const exitOf = ({ gate, exit = gate?.code }: RunArtefacts): number | undefined => exit;

/** The outcome of a run as a headline: its sentence, or `the gate passes`. */
export const headlineOf = (run: RunArtefacts): string =>
  run.gate === undefined ? run.results.sentence : `the gate ${exitOf(run) === 0 ? 'passes' : 'fails'}`;

/** The headline; for a gate followed by the sentence: `the gate passes; NON-CONFORMANT (profile full)`. */
export const outcomeSentence = (run: RunArtefacts): string =>
  run.gate === undefined ? headlineOf(run) : `${headlineOf(run)}; ${run.results.sentence}`;

/** The warnings that do not fail the run. */
export const warningCases = (results: Results): readonly CaseOfRequirement[] =>
  results.strict ? [] : allCases(results).filter(({ result }) => result.verdict === 'warning');

/** The exchange that shows a finding, if there is one and the record holds it. */
export const exampleOf = (finding: FoldedFinding | undefined, run: RunArtefacts): Exchange | undefined =>
  run.exchanges.find(({ seq }) => seq === finding?.example);

/** The answer to a sibling, and the one element in which it differs: ` got status 201: /from is absent`. */
export function siblingPhrase({ seq, difference }: NonNullable<FoldedFinding['sibling']>, run: RunArtefacts): string {
  const sibling = run.exchanges.find((exchange) => exchange.seq === seq);
  return `${sibling === undefined ? '' : ` got ${answerPhrase(sibling)}`}: ${difference}`;
}

/** Why a case has its verdict. */
export const reasonOf = ({ reason }: CaseResult): string => reason ?? 'no reason was recorded';

/** What is open for one reason: cases without a verdict, or questions without an answer. */
export type OpenGroup = ReturnType<typeof groupsOf>[number];

type Open = Pick<CaseResult, 'id'> & Pick<UnansweredQuestion, 'reason'> & { readonly remedy?: string | undefined };

/** Groups with the same remedy or, without one, the same reason; `verdict` is that of the cases. */
function groupsOf(all: readonly Open[], noun: string, verdict?: Verdict) {
  const groups = groupBy(all, ({ reason, remedy }) => (remedy === undefined ? `reason ${reason}` : `remedy ${remedy}`));
  return [...groups.values()].map((group) => {
    const [{ reason, remedy }] = group;
    const cases = [...new Set(group.map(({ id }) => id))];
    return { title: counted(group.length, noun), size: group.length, reason, remedy, cases, verdict };
  });
}

/** The cases with that verdict, in groups. */
export function openGroups(results: Results, verdict: Verdict): readonly OpenGroup[] {
  const all = allCases(results).map(({ result }) => ({ ...result, reason: reasonOf(result) }));
  const open = all.filter((result) => result.verdict === verdict);
  return groupsOf(open, 'case', verdict);
}

/** The questions without an answer, the largest group first. */
export function questionGroups(results: Results): readonly OpenGroup[] {
  const all = allCases(results).flatMap(({ result: { id, unanswered = [] } }) =>
    unanswered.map((question) => ({ ...question, id })),
  );
  return groupsOf(all, 'question').toSorted((a, b) => b.size - a.size);
}

/** How many calls may have rung: `15 calls (12 planned, 3 for values that the target may reject), 1 may be open`. */
export function callsSentence({ counts: { calls, unplannedCalls, mayBeOpen: open = 0 } }: Results): string {
  const planned = ` (${calls - unplannedCalls} planned, ${unplannedCalls} for values that the target may reject)`;
  const parts = unplannedCalls === 0 ? '' : planned;
  const all = calls === open && calls > 1 ? (calls === 2 ? 'both' : 'all') : `${open}`;
  return `${counted(calls, 'call')}${parts}${open === 0 ? '' : `, ${all} may be open`}`;
}

/** What a person has to check: calls that may be open, changes not restored, and the run's end unless told before. */
export function actionsOf({ possiblyOpen, changed, endedEarly, reason }: Results, isTold: boolean) {
  const early = endedEarly === null || isTold || reason.includes(endedEarly) ? [] : [endedEarly];
  return [
    { id: 'calls', title: 'Calls that may still be open', sentences: possiblyOpen },
    { id: 'changed', title: 'Changed on the target and not restored', sentences: changed },
    { id: 'early', title: 'The run ended early', sentences: early },
  ];
}

/** What was read, and how much of it was judged: `12,418 of 13,002 exchanges judged`. */
export const trafficSentence = ({ judged, read }: TrafficFacts): string =>
  `${grouped(judged)} of ${counted(read, 'exchange')} judged`;

function unjudged({ addresses, problems, ...facts }: TrafficFacts): readonly string[] {
  const { others, silent, elsewhere, filter, unknown, unsearched, unfollowed } = facts;
  const kinds = [
    [elsewhere, 'exchange', `of the interface at another address than ${filter}`],
    [others, 'exchange', 'of no operation, or below an address where the service never answered'],
    [silent, 'exchange', 'without a response of the service: from a cache, conditional, or given up by the client'],
    ...unknown.map(({ what, count }) => [count, 'exchange', `with a part that is unknown: ${what}`] as const),
    [unsearched, 'secret', 'for which no response was searched: weak, masked, or too many'],
    [unfollowed, 'finding', 'not followed, since their case had too many kinds'],
  ] as const;
  return [
    ...problems,
    ...kinds.flatMap(([count, noun, why]) => (count === 0 ? [] : [`${counted(count, noun)} ${why}`])),
    ...(addresses.length > 1 ? [`judged as one service: ${addresses.join(', ')}`] : []),
  ];
}

/** What else the run found: flaky symptoms, truncated responses, and recorded traffic that was not judged. */
export function noticesOf({ intermittent, cut, traffic }: Results): ReturnType<typeof actionsOf> {
  const flaky = intermittent.map(({ symptom, exchanges }) => {
    return `${symptom}, in ${counted(exchanges.length, 'exchange')}: ${firstOf(exchanges, SHOWN.lines)}`;
  });
  const unread = [cut ?? []].flat().map(({ answers, operations }) => {
    return `${counted(answers, 'response')} exceeded 4 MiB; the rest was not judged (${firstOf(operations, SHOWN.named)})`;
  });
  return [
    { id: 'flaky', title: 'Flaky: seen, but not when repeated', sentences: flaky },
    { id: 'unread', title: 'Responses not read in full', sentences: unread },
    { id: 'unjudged', title: 'Not judged', sentences: traffic === undefined ? [] : unjudged(traffic) },
  ];
}

/** A reading of the specification with its question; an unknown id stands alone. */
export function readingSentence(id: string): string {
  const reading = readingById(id);
  return reading === undefined ? `unknown reading ${id}` : `${id}: ${reading.question} ${reading.readings[0]}`;
}

/** How each verdict of a case looks, and what it means. */
export const LOOKS = {
  error: { mark: '‼', tone: 'bad', meaning: 'the suite itself broke' },
  fail: { mark: '✗', tone: 'bad', meaning: 'the target violates the requirement' },
  warning: { mark: '!', tone: 'warn', meaning: 'the target does not follow a recommendation' },
  inconclusive: { mark: '?', tone: 'open', meaning: 'tested, but the responses allow no verdict' },
  pass: { mark: '✓', tone: 'good', meaning: 'the target meets the requirement' },
  'not-exercised': { mark: '–', tone: 'quiet', meaning: 'not tested in this run' },
} as const satisfies Readonly<Record<Verdict, { mark: string; tone: Tone; meaning: string }>>;

/** The verdicts of cases, worst first. */
export const WORST_FIRST: readonly Verdict[] = LADDER.toReversed();

/** How each colour of a verdict looks to each reader; a screen has fewer, and shields.io has names. */
export const COLOURS = {
  green: { mark: '✓', tone: 'good', badge: 'brightgreen' },
  olive: { mark: '✓', tone: 'warn', badge: 'yellowgreen' },
  pale: { mark: '✓', tone: 'quiet', badge: '#d3d9b8' },
  red: { mark: '✗', tone: 'bad', badge: 'red' },
  yellow: { mark: '?', tone: 'open', badge: 'yellow' },
  grey: { mark: '‼', tone: 'bad', badge: 'lightgrey' },
} as const satisfies Readonly<Record<Colour, { mark: string; tone: Tone; badge: string }>>;

const OF_GATE = { 0: 'green', 1: 'red', 3: 'yellow', 4: 'grey' } as const;

/** The colour of a run's page: a passing gate is green, unless a signal ended the run. */
export const colourOf = ({ results, gate, exit }: RunArtefacts): Colour =>
  gate === undefined ? results.colour : OF_GATE[gate.code === 0 && exit !== undefined ? 3 : gate.code];
