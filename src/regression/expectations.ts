/**
 * Expectations: known failures, each with a reason, an owner, an issue and a last day. And the gate: the exit code of a run
 * with a baseline or expectations, which never changes the verdict.
 */

import { requirementById } from '../../suites/catalogue.ts';
import { firstOf, picked } from '../contract/lists.ts';
import { UsageError } from '../contract/usage-error.ts';
import { failingCases, type GateOutcome, type KnownFailure } from '../report/model.ts';
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
  /** Entries to remove or renew, with the reason in one sentence. */
  readonly stale: readonly { readonly entry: Expectation; readonly sentence: string }[];
  /** Phrases: entries whose case was not judged. */
  readonly unused: readonly string[];
}

/** Why an entry is stale, or `null` for one whose failure is there or whose case was not judged. */
function staleness(entry: Expectation, one: CaseResult | undefined, today: string): string | null {
  const { expected, actual, expires, owner, issue } = entry;
  const name = `${caseOf(entry)} (expected ${expected}, got ${actual})`;
  if (today > expires) return `${name} expired on ${expires}: fix the failure or renew the entry (${owner}, ${issue})`;
  if (one?.verdict === 'pass') return `${name} passes now: remove the entry`;
  if (one === undefined || one.findings.length === 0 || isListed(one, [entry], 'some')) return null;
  return `${name} fails differently: ${one.reason ?? 'no reason is recorded'}`;
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
  const [known, stale, unused]: [Expectation[], { entry: Expectation; sentence: string }[], string[]] = [[], [], []];
  for (const entry of entries) {
    const one = cases.get(caseOf(entry));
    const sentence = staleness(entry, one, today);
    if (sentence !== null) stale.push({ entry, sentence });
    else if (one !== undefined && one.findings.length > 0) known.push(entry);
    else unused.push(`${caseOf(entry)} is expected to fail but was ${one?.verdict ?? 'not planned'}`);
  }
  return { known, stale, unused };
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

/** The list without entries that are stale in the run or name an unknown case. */
export function withoutStale(entries: readonly Expectation[], results: Results, today: string): readonly Expectation[] {
  const stale = matchExpectations(entries, results, today).stale.map(({ entry }) => entry);
  return entries.filter((entry) => !isUnknown(entry) && !stale.includes(entry));
}

/** A run and what it is compared with. */
export interface GateInput {
  readonly results: Results;
  readonly comparison?: Comparison;
  readonly expected?: Expected;
  /** Whether a changed choice in a gap fails the gate. */
  readonly pinChoices: boolean;
}

/** The failure as an expectation or the baseline has it, or `null`. */
function knownFailure(one: CaseResult, { comparison, expected }: GateInput): KnownFailure | null {
  const entries = expected?.known ?? [];
  const [entry] = isListed(one, entries) ? entriesOf(one, entries) : [];
  if (entry !== undefined) return { case: one.id, ...picked(entry, ['reason', 'owner', 'issue', 'expires']) };
  const isOld = comparison?.stillFailing.some((change) => change.case === one.id) === true;
  return isOld ? { case: one.id, reason: 'fails in the baseline, too' } : null;
}

function problemsOf(input: GateInput): readonly string[] {
  const { results, expected, comparison, pinChoices } = input;
  // A stale expectation is reported as such.
  const listed = expected === undefined ? [] : [...expected.known, ...expected.stale.map(({ entry }) => entry)];
  const isNew = (one: CaseResult): boolean => knownFailure(one, input) === null && !isListed(one, listed);
  const failures = failingCases(results).flatMap(({ one }) => (isNew(one) ? [one.id] : []));
  const flaky = results.strict && failingCases(results).length === 0 ? results.intermittent : [];
  const drift = pinChoices ? (comparison?.drift ?? []) : [];
  return [
    ...(expected?.stale ?? []).map(({ sentence }) => `stale expectation: ${sentence}`),
    ...(failures.length === 0 ? [] : [`${counted(failures.length, 'new failure')}: ${firstOf(failures, 5)}`]),
    ...flaky.map(({ symptom }) => `flaky: ${symptom}`),
    ...drift.map(({ gap, operation }) => `a pinned choice changed: ${gap}/${operation}`),
  ];
}

/** Why a run is incomplete although each of its failures is known, or `null`. */
function incompleteness({ endedEarly, possiblyOpen: [call] }: Results): string | null {
  if (endedEarly !== null) return `the run ended early: ${endedEarly}`;
  return call === undefined ? null : `a call may still be open: ${call}`;
}

/** The outcome of the gate; without a baseline and expectations it is the exit code of the verdict. */
export function gate(input: GateInput): GateOutcome {
  const { results, comparison, expected } = input;
  const plain = EXIT_OF[results.verdict];
  if (comparison === undefined && expected === undefined) return { code: plain, sentences: [], known: [] };
  const known = failingCases(results).flatMap(({ one }) => knownFailure(one, input) ?? []);
  const unused = (expected?.unused ?? []).map((phrase) => `unused expectation: ${phrase}`);
  if (plain === 4) return { code: 4, sentences: unused, known };
  const problems = problemsOf(input);
  if (problems.length > 0) return { code: 1, sentences: [...problems, ...unused], known };
  if (plain !== 1) return { code: plain, sentences: unused, known };
  const incomplete = incompleteness(results);
  if (incomplete !== null) return { code: 3, sentences: [incomplete, ...unused], known };
  const { inconclusive } = results.counts.cases;
  const rest = inconclusive === 0 ? '' : `, ${counted(inconclusive, 'case')} inconclusive`;
  const passes = `${counted(failingCases(results).length, 'known failure')}, no new failures${rest}`;
  return { code: 0, sentences: [passes, ...unused], known };
}
