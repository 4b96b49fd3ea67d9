/** Implementations side by side: what their bundles verify, by requirement family and by gap. Pure. */

import { ANSWERS } from '../../suites/answers.ts';
import { AUTHENTICATION } from '../../suites/authentication.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { CREATE_CALL } from '../../suites/create-call.ts';
import { gapById } from '../../suites/observations/index.ts';
import { ORGANIZATIONS } from '../../suites/organizations.ts';
import { VALID_REQUESTS } from '../../suites/valid-requests.ts';
import { groupBy } from '../contract/lists.ts';
import { choicesIn, type GapChoice } from '../report/model.ts';
import type { RequirementResult } from '../verdict/results.ts';
import { fold, type Verdict } from '../verdict/verdict.ts';
import { readingsOf } from './certification.ts';
import type { Opened, Verification, Verified } from './verify.ts';

/** Binding requirements by the family that defines them; the other binding ones share a family, and so does the advice. */
const FAMILIES = {
  'Valid requests': VALID_REQUESTS,
  Authentication: AUTHENTICATION,
  'Other organizations': ORGANIZATIONS,
  'Create call': CREATE_CALL,
  'Every response': ANSWERS,
} as const;
const REMAINING = 'Other requirements';
const ADVICE = 'Recommendations';

/** A requirement and its verdict for each verified implementation; `null` where its bundle has no case of it. */
export interface RequirementRow extends Pick<RequirementResult, 'id' | 'level' | 'statement'> {
  readonly verdicts: readonly (Verdict | null)[];
}

/** A family, and for each verified implementation how many of its cases passed. */
export interface FamilyRows {
  readonly name: string;
  readonly requirements: readonly RequirementRow[];
  readonly cases: readonly { readonly verdict: Verdict | null; readonly passed: number; readonly total: number }[];
}

/** A gap and the choices of each verified implementation. */
export interface GapRow {
  readonly gap: string;
  readonly question: string | null;
  /** Whether all of them choose alike. */
  readonly alike: boolean;
  readonly choices: readonly (readonly GapChoice[])[];
}

/** matrix.json: columns of families and choices are the bundles that are verified, in this order. */
export interface Implementations {
  readonly format: 'pcs-conformance/matrix@1';
  readonly suite: string;
  readonly bundles: readonly Verification[];
  readonly families: readonly FamilyRows[];
  readonly choices: readonly GapRow[];
  /** Readings that any of them was judged by. */
  readonly readings: readonly string[];
}

function familyOf({ id, level }: Pick<RequirementResult, 'id' | 'level'>): string {
  if (level === 'should') return ADVICE;
  return Object.entries(FAMILIES).find(([, family]) => family.some((one) => one.id === id))?.[0] ?? REMAINING;
}

function familyRows(columns: readonly Verified[]): readonly FamilyRows[] {
  const found = groupBy(REQUIREMENTS, familyOf);
  return [...Object.keys(FAMILIES), REMAINING, ADVICE].flatMap((name) => {
    const own = found.get(name);
    if (own === undefined) return [];
    const judged = columns.map(({ results }) => new Map(results.requirements.map((one) => [one.id, one])));
    const requirements = own.map(({ id, level, statement }) => {
      return { id, level, statement, verdicts: judged.map((known) => known.get(id)?.verdict ?? null) };
    });
    const cases = judged.map((known) => {
      const verdicts = own.flatMap(({ id }) => known.get(id)?.cases.map(({ verdict }) => verdict) ?? []);
      const passed = verdicts.filter((verdict) => verdict === 'pass').length;
      return { verdict: verdicts.length === 0 ? null : fold(verdicts), passed, total: verdicts.length };
    });
    return [{ name, requirements, cases }];
  });
}

function gapRows(columns: readonly Verified[]): readonly GapRow[] {
  const gaps = [...new Set(columns.flatMap(({ choices }) => choices.map(({ gap }) => gap)))].sort();
  return gaps.map((gap) => {
    const choices = columns.map((one) => choicesIn(gap, one.choices));
    const alike = new Set(choices.map((one) => JSON.stringify(one))).size <= 1;
    return { gap, question: gapById(gap)?.question ?? null, alike, choices };
  });
}

/** Puts opened bundles side by side. */
export function compareImplementations(opened: readonly Opened[], version: string): Implementations {
  const columns = opened.flatMap(({ verified }) => verified ?? []);
  const readings = new Set(columns.flatMap(({ results }) => readingsOf(results)));
  return {
    format: 'pcs-conformance/matrix@1',
    suite: `pcs-conformance ${version}`,
    bundles: opened.map(({ verification }) => verification),
    families: familyRows(columns),
    choices: gapRows(columns),
    readings: [...readings].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
  };
}
