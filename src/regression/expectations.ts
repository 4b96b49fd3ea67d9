/**
 * Expectations: known failures, each with a reason, an owner, an issue and a last day. And the gate: the exit code of a
 * run with a baseline or expectations, which never changes the verdict. The reasons are in docs/design/reports.md.
 */

import { requirementById } from '../../suites/catalogue.ts';
import { SHOWN } from '../contract/limits.ts';
import { counted, firstOf, groupBy, picked } from '../contract/lists.ts';
import { UsageError } from '../contract/usage-error.ts';
import { parseJson } from '../exchange/json-text.ts';
import { COMMAND } from '../report/command-line.ts';
import { FIRST, type GateEntry, type GateOutcome, type GoneFailure, type KnownFailure } from '../report/gate.ts';
import { jsonText } from '../report/text.ts';
import { type Deviation, deviationPhrase } from '../verdict/identity.ts';
import { EXIT_OF, type Results } from '../verdict/results.ts';
import { lessThanAll, toResolve } from '../verdict/sentence.ts';
import {
  askedIn,
  type Comparison,
  casesById,
  END_OF_RUN,
  type KeyedFinding,
  keyedIn,
  LISTED_OF_RUN,
  OF_RUN,
  standingOf,
} from './comparison.ts';
import { demandFormat, demandSchema, readText } from './own-files.ts';

/** One known failure. In what was sent, expected and got, and in the place, `*` stands for any text. */
export interface Expectation extends Deviation {
  readonly requirement: string;
  readonly operation: string;
  /** The group of values in which it was first sent: a target without the failure gets only the group. */
  readonly within?: string;
  readonly reason: string;
  readonly owner: string;
  /** Address of the issue. */
  readonly issue: string;
  /** Last day in UTC, `2026-12-31`. */
  readonly expires: string;
}

const EXPECTATIONS = 'pcs-conformance/expectations@2';

/** Valid stand-ins for what `expect add` leaves blank. */
const STAND_INS: Readonly<Record<string, string>> = { reason: 'a', owner: 'an', issue: 'https://issue.invalid/' };

const caseNamed = ({ requirement, operation }: Pick<Expectation, 'requirement' | 'operation'>): string =>
  `${requirement}/${operation}`;

/** The day of a moment in milliseconds since the epoch, in UTC: `2026-12-31`. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Whether a text is a day of the calendar: Date.parse rejects 2027-13-01 but reads 2027-02-30 as a day in March. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** The remedy for an issue that a page cannot link to. */
export const NO_ADDRESS = 'write one such as https://issues.example/17';

/** Parses an expectations file; `allowBlanks` accepts a blank reason, owner or issue. Throws `UsageError` naming it. */
export function parseExpectations(text: string, path: string, allowBlanks = false): readonly Expectation[] {
  const value = parseJson(text, path);
  demandFormat(
    value,
    path,
    EXPECTATIONS,
    'make the list again with expect add, or give each entry what was sent and where (* for anything)',
  );
  const filled: unknown = JSON.parse(text, (name, member) => (member === '' ? (STAND_INS[name] ?? member) : member));
  demandSchema('expectations', filled, path);
  const { expectations } = value as { readonly expectations: readonly Expectation[] };
  for (const entry of expectations) {
    const { issue, expires } = entry;
    const about = `the entry for ${caseNamed(entry)}`;
    if (issue !== '' && !URL.canParse(issue))
      throw new UsageError(`${path}: ${about} has the issue ${issue}, which is not an address`, NO_ADDRESS);
    if (!isDay(expires))
      throw new UsageError(`${path}: ${about} expires on ${expires}, not a date`, 'write one such as 2026-12-31');
    const blank = (['reason', 'owner', 'issue'] as const).find((name) => entry[name] === '');
    if (blank !== undefined && !allowBlanks)
      throw new UsageError(`${path} is not finished: ${about} has no ${blank}`, 'fill it in');
  }
  return expectations;
}

/** Whether the catalogue has no such requirement, or not for that operation; no list excuses the end of a run. */
function isUnknown({ requirement, operation }: Expectation): boolean {
  const known: readonly string[] | undefined =
    requirement === OF_RUN ? LISTED_OF_RUN : requirementById(requirement)?.operations;
  return known?.includes(operation) !== true;
}

/** Reads an expectations file for a run. Throws `UsageError` if it cannot be used or names an unknown case. */
export function readExpectations(path: string): readonly Expectation[] {
  const entries = parseExpectations(readText(path, 'name an expectations file'), path);
  const unknown = entries.find(isUnknown);
  if (unknown === undefined) return entries;
  if (unknown.requirement !== OF_RUN)
    throw new UsageError(`${path} names the unknown case ${caseNamed(unknown)}`, `see ${COMMAND} list`);
  const remedy = `of the run itself list only ${LISTED_OF_RUN.join(', ')}`;
  throw new UsageError(`${path} names ${caseNamed(unknown)}, which no list excuses`, remedy);
}

/** The text of an expectations file. */
export const renderExpectations = (expectations: readonly Expectation[]): string =>
  jsonText({ format: EXPECTATIONS, expectations });

/**
 * How a run compares with the expectations: failures present as listed, failures past their last day and so no longer
 * excused, failures that are gone (the case passes or fails in another way), and cases not judged.
 */
export type Expected = Readonly<Record<'known' | 'expired' | 'gone' | 'unused', readonly Expectation[]>>;

/** Whether a text matches a pattern, in which `*` stands for any text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

const MEMBERS = ['stimulus', 'expected', 'actual', 'where'] as const;

const lists = (entry: Expectation, told: KeyedFinding): boolean =>
  caseNamed(entry) === told.case && MEMBERS.every((name) => isLike(told[name], entry[name]));

/** Matches expectations with the failures of a run; `today` is a day in UTC, `2026-12-31`. */
export function matchExpectations(entries: readonly Expectation[], results: Results, today: string): Expected {
  const [cases, all, isAsked] = [casesById(results), keyedIn(results), askedIn(results, results)];
  const isJudged = (entry: Expectation): boolean =>
    entry.requirement === OF_RUN || standingOf(cases.get(caseNamed(entry)), results) !== 'not judged';
  // A pattern may stand for stimuli that are not listed.
  const isSent = (entry: Expectation): boolean => entry.stimulus.includes('*') || isAsked(entry);
  const placeOf = (entry: Expectation): keyof Expected => {
    const isThere = all.some((told) => lists(entry, told));
    if (isThere) return today > entry.expires ? 'expired' : 'known';
    return isJudged(entry) && isSent(entry) ? 'gone' : 'unused';
  };
  return { known: [], expired: [], gone: [], unused: [], ...Object.fromEntries(groupBy(entries, placeOf)) };
}

/** What a person adds to a failure on the list. */
export type Details = Pick<Expectation, 'reason' | 'owner' | 'issue' | 'expires'>;

/**
 * The list with every failure of the run added. In entries that already list one, the members that were `given` are
 * replaced; an unchanged entry stays the same object. An early end of the run is never a known failure.
 */
export function addFailures(
  entries: readonly Expectation[],
  results: Results,
  details: Details,
  given: Partial<Details> = {},
): readonly Expectation[] {
  const failures = keyedIn(results).filter((told) => told.fails && told.case !== END_OF_RUN);
  const renewed = entries.map((entry) => {
    const differs = (Object.keys(given) as (keyof Details)[]).some((name) => given[name] !== entry[name]);
    return differs && failures.some((told) => lists(entry, told)) ? { ...entry, ...given } : entry;
  });
  const missing = failures.filter((told) => !entries.some((entry) => lists(entry, told)));
  return [
    ...renewed,
    ...missing.map((told) => ({ ...picked(told, ['requirement', 'operation', ...MEMBERS, 'within']), ...details })),
  ];
}

/** The list without entries whose failure is gone, whose last day is past, or that name an unknown case. */
export function withoutStale(entries: readonly Expectation[], results: Results, today: string): readonly Expectation[] {
  const { gone } = matchExpectations(entries, results, today);
  return entries.filter((entry) => !isUnknown(entry) && !gone.includes(entry) && today <= entry.expires);
}

/** A run and what it is compared with. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  /** The file of the list, as it was named. */
  readonly expectFile?: string | undefined;
}

/**
 * The findings of the run, as new (not in the baseline; without a baseline, all) or known (in the baseline or the
 * list). Cases that are no longer judged come last.
 */
function sorted({ results, comparison, expected }: GateInput) {
  const nothing = { new: keyedIn(results).filter(({ fails }) => fails), known: [], noLongerJudged: [] };
  const { new: fresh, known: old, noLongerJudged } = comparison ?? nothing;
  const entryOf = (told: KeyedFinding) => expected?.known.find((entry) => lists(entry, told));
  const known = [...old, ...fresh.filter(entryOf)].map((told): KnownFailure => {
    const entry = entryOf(told);
    const why = entry && picked(entry, ['reason', 'owner', 'issue', 'expires']);
    return { ...picked(told, ['case', 'stimulus', 'at']), ...(why ?? { reason: 'fails in the baseline, too' }) };
  });
  const added = fresh.flatMap((told): readonly GateEntry[] => {
    if (entryOf(told)) return [];
    const expired = expected?.expired.find((entry) => lists(entry, told));
    const late = expired ? `; its entry expired on ${expired.expires} (${expired.owner}, ${expired.issue})` : '';
    const kind = told.requirement === OF_RUN && told.operation !== 'flaky' ? 'run' : 'finding';
    const change = picked(told, ['case', 'stimulus', 'at', 'first', 'everywhere']);
    return [{ kind, ...change, detail: `${told.detail}${late}` }];
  });
  const lost = noLongerJudged.map((entry): GateEntry => ({ kind: 'not judged', ...entry }));
  return { new: [...added, ...lost], known };
}

/** The list of known failures that `expect prune` uses by default. */
const DEFAULT_FILE = 'expectations.json';

function goneIn({ expected, comparison, expectFile = DEFAULT_FILE }: GateInput): readonly GoneFailure[] {
  const file = expectFile === DEFAULT_FILE ? {} : { file: expectFile };
  const listed = (expected?.gone ?? []).map((entry): GoneFailure => {
    const { stimulus } = entry;
    return { case: caseNamed(entry), stimulus, detail: deviationPhrase(entry), remove: 'expect prune', ...file };
  });
  const fixed = (comparison?.gone ?? []).flatMap((finding): readonly GoneFailure[] => {
    const change = picked(finding, ['case', 'stimulus', 'detail', 'everywhere']);
    const isListed = listed.some((entry) => entry.case === change.case && entry.stimulus === change.stimulus);
    return isListed ? [] : [{ ...change, remove: 'baseline' }];
  });
  return [...listed, ...fixed];
}

/** The first entries by case and stimulus: `A (x), B (y) and 3 more`. */
const casesNamed = (entries: readonly Pick<GateEntry, 'case' | 'stimulus'>[]): string =>
  firstOf(
    entries.map(({ case: id, stimulus }) => (stimulus === undefined ? id : `${id} (${stimulus})`)),
    SHOWN.named,
  );

const NOUNS = {
  finding: ['new finding', 'new findings'],
  run: ['new state of the run or the target', 'new states of the run or the target'],
  'not judged': ['case that was judged and no longer is', 'cases that were judged and no longer are'],
} as const satisfies Readonly<Record<GateEntry['kind'], readonly [single: string, many: string]>>;

/** What is new, by kind, as sentences: `2 new findings, 1 asked for the first time: A (x), B (y)`. */
function newSentences(entries: readonly GateEntry[]): readonly string[] {
  return [...groupBy(entries, ({ kind }) => kind)].map(([kind, alike]) => {
    const first = alike.filter((entry) => entry.first).length;
    const label = first === 0 ? '' : `, ${first === alike.length ? '' : `${first} `}${FIRST}`;
    return `${counted(alike.length, NOUNS[kind][0], NOUNS[kind][1])}${label}: ${casesNamed(alike)}`;
  });
}

/**
 * The outcome of the gate: it fails for new findings, and for less than `--require-complete` demands. Without a
 * baseline and expectations, the code is that of the verdict.
 */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  if (comparison === undefined && expected === undefined)
    return { code: plain, sentences: [], new: [], known: [], gone: [] };
  const all = { ...sorted(input), gone: goneIn(input) };
  const { notAskedAgain: unasked = [], baseline, current } = comparison ?? {};
  const [explored = 0, before = 0] = [current?.explore, baseline?.explore];
  // A list of known failures does not cover warnings, so any may be new.
  const warnings = comparison?.newWarnings ?? keyedIn(results).filter(({ fails }) => !fails);
  const noun = comparison === undefined ? 'warning' : 'new warning';
  const isDrawnAnew = baseline?.seed !== current?.seed && all.new.some(({ first }) => first);
  const notices = [
    isDrawnAnew &&
      `another seed may show a known finding in another way: --seed ${baseline?.seed} asks what the baseline asked`,
    explored < before && `--explore ${explored} finds less than --explore ${before}, with which the baseline was made`,
    warnings.length > 0 && `${counted(warnings.length, noun)}: ${casesNamed(warnings)}`,
    unasked.length > 0 &&
      `${counted(unasked.length, 'finding')} of the baseline not asked again: ${casesNamed(unasked)}`,
    ...[...groupBy(expected?.unused ?? [], caseNamed)].map(
      ([id, failures]) => `${id}: ${counted(failures.length, 'known failure')} not asked again`,
    ),
  ].filter((notice) => notice !== false);
  const outcome = (code: GateOutcome['code'], ...said: readonly string[]): GateOutcome => {
    return { code, sentences: [...said, ...notices], ...all };
  };
  if (plain === 4) return outcome(4);
  // Without a new failure, the run is judged less completely than the baseline: exit 3, as for any incomplete run.
  const code = all.new.some(({ kind }) => kind === 'finding') ? 1 : 3;
  if (all.new.length > 0) return outcome(code, ...newSentences(all.new));
  // The flag demands the whole interface, even if the baseline did not cover it either.
  const less = results.requireComplete === true ? lessThanAll(results) : null;
  if (less !== null) return outcome(3, `${less.what}${toResolve(less.remedies)}`);
  const { inconclusive } = results.counts.cases;
  const since = comparison === undefined ? '; without a baseline that may be new' : ', as in the baseline';
  const rest = inconclusive === 0 ? '' : `, ${counted(inconclusive, 'case')} inconclusive${since}`;
  return outcome(0, `${counted(all.known.length, 'known finding')}, nothing new${rest}`);
}
