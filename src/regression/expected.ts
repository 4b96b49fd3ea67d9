/** Expectations against a run: which still hold, which are stale, which failures nobody expected. Pure. */

import { isFailing } from '../report/cases.ts';
import type { CaseResult, Results } from '../verdict/results.ts';
import { caseOf, type Expectation, entryName, namesNothing } from './expectations.ts';
import { casesById, isSame, signaturesOf } from './failures.ts';

/** An expectation that is to be taken off the list, and why. */
export interface Stale {
  readonly entry: Expectation;
  /** One sentence. */
  readonly sentence: string;
}

/** What expectations come to in a run. */
export interface Expected {
  /** Failures that are as listed. */
  readonly held: readonly Expectation[];
  readonly stale: readonly Stale[];
  /** Sentences: entries that this run says nothing about. */
  readonly idle: readonly string[];
}

/** What an entry is worth in a run, in one word. */
type Worth = 'held' | 'passes' | 'differs' | 'expired' | 'idle';

function worthOf(entry: Expectation, one: CaseResult | undefined, today: string): Worth {
  if (today > entry.expires) return 'expired';
  if (one === undefined) return 'idle';
  if (one.findings.length > 0) return signaturesOf(one).some((found) => isSame(found, entry)) ? 'held' : 'differs';
  return one.verdict === 'pass' ? 'passes' : 'idle';
}

const SENTENCES = {
  passes: (entry: Expectation) => `${entryName(entry)} is expected to fail and passes: remove the entry`,
  differs: (entry: Expectation, one?: CaseResult) =>
    `${entryName(entry)} is expected and fails differently: ${one?.reason ?? 'for another reason'}`,
  expired: (entry: Expectation) =>
    `${entryName(entry)} was to be borne with until ${entry.expires}: mend it or renew the entry (owner ${entry.owner}, ${entry.issue})`,
} as const;

/** Whether the entry matches a finding of the case. */
export function isListed(one: CaseResult, entries: readonly Expectation[]): boolean {
  const own = entries.filter((entry) => caseOf(entry) === one.id);
  const found = signaturesOf(one);
  return found.length > 0 && found.every((signature) => own.some((entry) => isSame(entry, signature)));
}

/** Holds expectations against results; `today` is a day in UTC, `2026-12-31`. */
export function holdAgainst(entries: readonly Expectation[], results: Results, today: string): Expected {
  const cases = casesById(results);
  const held: Expectation[] = [];
  const stale: Stale[] = [];
  const idle: string[] = [];
  for (const entry of entries) {
    const one = cases.get(caseOf(entry));
    const worth = worthOf(entry, one, today);
    if (worth === 'held') held.push(entry);
    else if (worth === 'idle') idle.push(`${caseOf(entry)} is expected to fail and was ${one?.verdict ?? 'not asked'}`);
    else stale.push({ entry, sentence: SENTENCES[worth](entry, one) });
  }
  return { held, stale, idle };
}

/** What a person adds to the findings when failures are put on the list; blanks are for filling in. */
export type Pledge = Pick<Expectation, 'reason' | 'owner' | 'issue' | 'expires'>;

type Failure = Pick<Expectation, 'requirement' | 'operation' | 'expected' | 'actual'>;

function failuresOf(results: Results): readonly Failure[] {
  return results.requirements.flatMap(({ id: requirement, cases }) =>
    cases
      .filter(({ verdict }) => isFailing(verdict, results))
      .flatMap((one) =>
        signaturesOf(one).map((signature) => ({ requirement, operation: one.operation, ...signature })),
      ),
  );
}

/**
 * The list with every failure of the run on it. Of entries that are there for one of them what was `given` is renewed;
 * one that does not change is the same object.
 */
export function addFailures(
  entries: readonly Expectation[],
  results: Results,
  pledge: Pledge,
  given: Partial<Pledge> = {},
): readonly Expectation[] {
  const failing = failuresOf(results);
  const fits = (entry: Expectation, one: Failure): boolean => caseOf(entry) === caseOf(one) && isSame(entry, one);
  const renewed = entries.map((entry) => {
    const differs = (Object.keys(given) as (keyof Pledge)[]).some((name) => given[name] !== entry[name]);
    return differs && failing.some((one) => fits(entry, one)) ? { ...entry, ...given } : entry;
  });
  const fresh = failing.filter((one) => !entries.some((entry) => fits(entry, one)));
  return [...renewed, ...fresh.map((one) => ({ ...one, ...pledge }))];
}

/** The list without what is stale in the run, and without what names nothing. */
export function withoutStale(entries: readonly Expectation[], results: Results, today: string): readonly Expectation[] {
  const { stale } = holdAgainst(entries, results, today);
  return entries.filter((entry) => !namesNothing(entry) && !stale.some((one) => one.entry === entry));
}
