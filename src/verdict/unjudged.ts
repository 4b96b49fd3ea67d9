/** What a run left unanswered, and why: its questions in numbers, and the families that were not judged in full. */

import { OMIT_RATE, OPTIONAL, READ_BY_ID, remedyOf, type TargetSettingName } from '../contract/settings.ts';
import type { RunRecord } from './record.ts';
import type { CaseResult, QuestionTotals, Unjudged } from './results.ts';

/**
 * What was not judged in full: questions whose setting is missing or not confirmed by an accepted request, and
 * simultaneous requests that `--rate` does not allow.
 */
export function unjudgedIn(cases: readonly CaseResult[], { skipped, inputs }: RunRecord): readonly Unjudged[] {
  const unanswered = cases.flatMap((testCase) => testCase.unanswered ?? []);
  const missing = new Set(unanswered.flatMap(({ needs = [] }) => needs));
  const unshown = new Map(
    unanswered.flatMap(({ unshown = [], remedy }) => unshown.map((name) => [name, remedy ?? `check ${name}`] as const)),
  );
  const ofSettings = LACKING.flatMap(([name, { family, lack }]): readonly Unjudged[] => {
    if (missing.has(name)) return [{ family, lack, remedy: remedyOf(name) }];
    const remedy = unshown.get(name);
    return remedy === undefined ? [] : [{ family, lack: `${lack} proven`, remedy }];
  });
  const slow = { family: 'simultaneous requests', lack: `--rate ${inputs.rate}`, remedy: OMIT_RATE };
  return [...ofSettings, ...(skipped.some(({ why }) => why === 'rate') ? [slow] : [])];
}

const LACKING = Object.entries({ ...OPTIONAL, ...READ_BY_ID }) as readonly (readonly [
  TargetSettingName,
  (typeof OPTIONAL)[keyof typeof OPTIONAL],
])[];

/** How many questions were answered, and why others were not. */
export function questionTotals(cases: readonly CaseResult[]): QuestionTotals {
  const unanswered = cases.flatMap((testCase) => testCase.unanswered ?? []);
  const lacking = unanswered.filter(({ needs }) => needs !== undefined);
  const sum = (count: (result: CaseResult) => number): number =>
    cases.reduce((total, testCase) => total + count(testCase), 0);
  return {
    planned: sum(({ questions }) => questions.planned),
    answered: sum(({ questions }) => questions.answered),
    open: unanswered.filter(({ status }) => status === 'open').length,
    notAsked: unanswered.filter(({ status }) => status === 'not asked').length,
    lacking: {
      questions: lacking.length,
      settings: [...new Set(lacking.flatMap(({ needs = [] }) => needs))].sort(),
    },
  };
}
