/**
 * Expectations: known failures, each with a reason, an owner, an issue and a last day. And the gate: the exit code of a run
 * with a baseline or expectations, which never changes the verdict.
 * The reasons are in docs/design/reports.md.
 */

import { requirementById } from '../../suites/catalogue.ts';
import { SHOWN } from '../contract/limits.ts';
import { firstOf, groupBy, picked } from '../contract/lists.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { GateEntry, GateOutcome, GoneFailure, KnownFailure } from '../report/gate.ts';
import { failingCases, reasonOf } from '../report/model.ts';
import { counted } from '../report/text.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { EXIT_OF } from '../verdict/verdict.ts';
import { type Comparison, casesById, isSame, type Signature, signaturesOf } from './comparison.ts';
import { demandSchema, parseJson, readText } from './own-files.ts';

/** One known failure. */
export interface Expectation extends Signature {
  readonly requirement: string;
  readonly operation: string;
  readonly reason: string;
  readonly owner: string;
  /** Address of the issue. */
  readonly issue: string;
  /** Last day in UTC, `2026-12-31`. */
  readonly expires: string;
}

/** Valid stand-ins for what `expect add` leaves blank. */
const STAND_INS: Readonly<Record<string, string>> = { reason: 'a', owner: 'an', issue: 'https://issue.invalid/' };

const caseOf = ({ requirement, operation }: Pick<Expectation, 'requirement' | 'operation'>): string =>
  `${requirement}/${operation}`;

/** Parses an expectations file; `allowBlanks` accepts a blank reason, owner or issue. Throws `UsageError` naming it. */
export function parseExpectations(text: string, path: string, allowBlanks = false): readonly Expectation[] {
  const value = parseJson(text, path);
  const filled: unknown = JSON.parse(text, (name, member) => (member === '' ? (STAND_INS[name] ?? member) : member));
  demandSchema('expectations', filled, path);
  const { expectations } = value as { readonly expectations: readonly Expectation[] };
  for (const entry of allowBlanks ? [] : expectations) {
    const blank = (['reason', 'owner', 'issue'] as const).find((name) => entry[name] === '');
    if (blank === undefined) continue;
    throw new UsageError(`${path} is not finished: the entry for ${caseOf(entry)} has no ${blank}`, 'fill it in');
  }
  return expectations;
}

/** Whether the catalogue has no such requirement, or not for that operation. */
function isUnknown({ requirement, operation }: Expectation): boolean {
  return !(requirementById(requirement)?.operations as readonly string[] | undefined)?.includes(operation);
}

/** Reads an expectations file for a run. Throws `UsageError` if it cannot be used or names an unknown case. */
export function readExpectations(path: string): readonly Expectation[] {
  const entries = parseExpectations(readText(path, 'name an expectations file'), path);
  const unknown = entries.find(isUnknown);
  if (unknown === undefined) return entries;
  throw new UsageError(`${path} names the unknown case ${caseOf(unknown)}`, 'see pcs-conformance list');
}

/** The text of an expectations file. */
export function renderExpectations(entries: readonly Expectation[]): string {
  return `${JSON.stringify({ format: 'pcs-conformance/expectations@1', expectations: entries }, null, 2)}\n`;
}

/** What a run says of the expectations. */
export interface Expected {
  /** Entries whose failure is there as listed. */
  readonly known: readonly Expectation[];
  /** Entries after their last day: they excuse nothing. */
  readonly expired: readonly Expectation[];
  /** Entries whose failure is gone: the case passes, or fails in another way. */
  readonly gone: readonly Expectation[];
  /** Entries whose case was not judged. */
  readonly unused: readonly Expectation[];
}

/** The entries for a case. */
const entriesOf = (one: CaseResult, entries: readonly Expectation[]): readonly Expectation[] =>
  entries.filter((entry) => caseOf(entry) === one.id);

/** Whether every failure of a case, or `some` failure, is listed. */
function isListed(one: CaseResult, entries: readonly Expectation[], which: 'every' | 'some' = 'every'): boolean {
  const own = entriesOf(one, entries);
  const found = signaturesOf(one);
  return found.length > 0 && found[which]((signature) => own.some((entry) => isSame(entry, signature)));
}

/** Matches expectations with the failures of a run; `today` is a day in UTC, `2026-12-31`. */
export function matchExpectations(entries: readonly Expectation[], results: Results, today: string): Expected {
  const cases = casesById(results);
  const placeOf = (entry: Expectation): keyof Expected => {
    const one = cases.get(caseOf(entry));
    if (one?.verdict === 'pass') return 'gone';
    if (today > entry.expires) return 'expired';
    if (one === undefined || one.findings.length === 0) return 'unused';
    return isListed(one, [entry], 'some') ? 'known' : 'gone';
  };
  const places = groupBy(entries, placeOf);
  const at = (place: keyof Expected): readonly Expectation[] => places.get(place) ?? [];
  return { known: at('known'), expired: at('expired'), gone: at('gone'), unused: at('unused') };
}

/** What a person adds to a failure on the list. */
export type Details = Pick<Expectation, 'reason' | 'owner' | 'issue' | 'expires'>;

/**
 * The list with every failure of the run added. In entries that already list one, the members that were `given` are
 * replaced; an entry that does not change is the same object.
 */
export function addFailures(
  entries: readonly Expectation[],
  results: Results,
  details: Details,
  given: Partial<Details> = {},
): readonly Expectation[] {
  const failures = failingCases(results).flatMap(({ requirement: { id }, one }) =>
    signaturesOf(one).map((signature) => ({ requirement: id, operation: one.operation, ...signature, ...details })),
  );
  const isFor = (a: Expectation, b: Expectation): boolean => caseOf(a) === caseOf(b) && isSame(a, b);
  const renewed = entries.map((entry) => {
    const differs = (Object.keys(given) as (keyof Details)[]).some((name) => given[name] !== entry[name]);
    return differs && failures.some((failure) => isFor(failure, entry)) ? { ...entry, ...given } : entry;
  });
  return [...renewed, ...failures.filter((failure) => !entries.some((entry) => isFor(failure, entry)))];
}

/** The list without entries whose failure is gone, that have expired, or that name an unknown case. */
export function withoutStale(entries: readonly Expectation[], results: Results, today: string): readonly Expectation[] {
  const { gone, expired } = matchExpectations(entries, results, today);
  return entries.filter((entry) => !isUnknown(entry) && !gone.includes(entry) && !expired.includes(entry));
}

/** A run and what it is compared with. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  /** The file of the list, as it was named. */
  readonly expectFile?: string | undefined;
}

/** The failure as an expectation or the baseline has it, or `null`. */
function knownFailure(one: CaseResult, { comparison, expected }: GateInput): KnownFailure | null {
  const entries = expected?.known ?? [];
  const [entry] = isListed(one, entries) ? entriesOf(one, entries) : [];
  if (entry !== undefined) return { case: one.id, ...picked(entry, ['reason', 'owner', 'issue', 'expires']) };
  const isOld = comparison?.stillFailing.some((change) => change.case === one.id) === true;
  return isOld ? { case: one.id, reason: 'fails in the baseline, too' } : null;
}

/** What is new: neither the baseline nor the list has it. */
function newIn(input: GateInput): readonly GateEntry[] {
  const { results, expected, comparison } = input;
  const failing = failingCases(results).filter(({ one }) => knownFailure(one, input) === null);
  const flaky = results.strict && failingCases(results).length === 0 ? results.intermittent : [];
  const failures = failing.map(({ one }): GateEntry => {
    const [entry] = entriesOf(one, expected?.expired ?? []);
    const expired = entry && `; its entry expired on ${entry.expires} (${entry.owner}, ${entry.issue})`;
    return { kind: 'failure', case: one.id, detail: `${reasonOf(one)}${expired ?? ''}` };
  });
  return [
    ...failures,
    ...flaky.map(({ symptom }): GateEntry => ({ kind: 'failure', case: symptom, detail: 'flaky' })),
    ...(comparison?.noLongerJudged ?? []).map((change): GateEntry => ({ kind: 'not judged', ...change })),
  ];
}

/** The list of known failures that `expect prune` takes by itself. */
const DEFAULT_FILE = 'expectations.json';

/** Known failures that are gone, with what takes them off the list. */
function goneIn({ expected, comparison, expectFile = DEFAULT_FILE }: GateInput): readonly GoneFailure[] {
  const listed = (expected?.gone ?? []).map((entry) => ({ case: caseOf(entry), detail: describe(entry) }));
  const names = listed.map((one) => one.case);
  const file = expectFile === DEFAULT_FILE ? {} : { file: expectFile };
  const fixed = (comparison?.newlyPassing ?? []).filter((change) => !names.includes(change.case));
  return [
    ...listed.map((one) => ({ ...one, remove: 'expect prune' as const, ...file })),
    ...fixed.map((change) => ({ case: change.case, detail: 'fails in the baseline', remove: 'baseline' as const })),
  ];
}

const describe = ({ expected, actual }: Expectation): string => `expected ${expected}, got ${actual}`;

/** Why a run is incomplete although each of its failures is known, or `null`. */
function incompleteness({ endedEarly, possiblyOpen: [call], unrestored: [left] = [] }: Results): string | null {
  if (endedEarly !== null) return `the run ended early: ${endedEarly}`;
  if (call !== undefined) return `a call may still be open: ${call}`;
  return left === undefined ? null : `the target is still changed: ${left}`;
}

/** What is new, by kind, as sentences: `2 new failures: A, B`. */
function newSentences(entries: readonly GateEntry[]): readonly string[] {
  const words = { failure: 'new failure', 'not judged': 'case that was judged and no longer is' };
  const many = { failure: 'new failures', 'not judged': 'cases that were judged and no longer are' };
  return [...groupBy(entries, ({ kind }) => kind)].map(
    ([kind, own]) =>
      `${counted(own.length, words[kind], many[kind])}: ${firstOf(
        own.map((one) => one.case),
        SHOWN.named,
      )}`,
  );
}

/**
 * The outcome of the gate. It fails for what is new and for a run that did not come to its end. Without a baseline and without
 * expectations the code is that of the verdict.
 */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  const lists = { new: [], known: [], gone: [] };
  if (comparison === undefined && expected === undefined) return { code: plain, sentences: [], ...lists };
  const all = {
    new: newIn(input),
    known: failingCases(results).flatMap(({ one }) => knownFailure(one, input) ?? []),
    gone: goneIn(input),
  };
  const warnings = comparison?.newlyWarning ?? [];
  const notices = [
    ...(warnings.length === 0
      ? []
      : [
          `${counted(warnings.length, 'new warning')}: ${firstOf(
            warnings.map((one) => one.case),
            SHOWN.named,
          )}`,
        ]),
    ...(expected?.unused ?? []).map((entry) => `${caseOf(entry)} is expected to fail and was not judged`),
  ];
  if (plain === 4) return { code: 4, sentences: notices, ...all };
  const incomplete = incompleteness(results);
  if (all.new.length > 0 || incomplete !== null) {
    const sentences = [...newSentences(all.new), ...(incomplete === null ? [] : [incomplete]), ...notices];
    // A run in which nothing fails anew is not judged as well as the baseline: exit 3, as for any incomplete run.
    return { code: all.new.some(({ kind }) => kind !== 'not judged') ? 1 : 3, sentences, ...all };
  }
  const { inconclusive } = results.counts.cases;
  const before = comparison === undefined ? '; without a baseline that may be new' : ', as in the baseline';
  const rest = inconclusive === 0 ? '' : `, ${counted(inconclusive, 'case')} inconclusive${before}`;
  return {
    code: 0,
    sentences: [`${counted(all.known.length, 'known failure')}, nothing new${rest}`, ...notices],
    ...all,
  };
}
