/** When two findings are the same: across two runs, across stimuli in one run, and across places in a response. */

import type { Finding } from './opinion.ts';
import { requirementOf } from './record.ts';
import type { FoldedFinding } from './results.ts';

/** The identity of a finding within its case. */
export type Deviation = Pick<FoldedFinding, 'expected' | 'actual' | 'where' | 'stimulus'>;

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const POSITION = /\b(byte|position|offset|line|column|character|seq|request) \d+/gi;

/** The text without ids and positions, which differ from run to run. */
export const stable = (text: string): string => text.replace(UUIDS, 'an id').replace(POSITION, '$1 N');

/** The deviation as another run knows it. */
export const identityOf = ({ stimulus, expected, actual, where }: Deviation): Deviation => ({
  stimulus: stable(stimulus),
  expected: stable(expected),
  actual: stable(actual),
  where: stable(where),
});

/** Equal for findings that deviate in the same way, whatever the stimulus. */
export const likeness = ({ expected, actual, where }: Finding): string => JSON.stringify([expected, actual, where]);

/** The same wherever in the response it was seen: one broken encoder breaks the 400 and the 401 alike. */
export const contrast = ({ expected, actual }: Pick<Finding, 'expected' | 'actual'>): string =>
  JSON.stringify([expected, actual]);

/** Whether it is about the content of an answer: statuses, lost responses and stored values may differ in cause. */
export const isOfContent = ({ where }: Pick<Finding, 'where'>): boolean =>
  !/^the (status|response|value)\b/.test(where);

/** The deviation in words: `expected no 5xx, got status 500`, and its place unless that is the status itself. */
export const deviationPhrase = ({ expected, actual, where }: Finding): string =>
  `expected ${expected}, got ${actual}${where === 'the status' ? '' : ` in ${where}`}`;

/** Equal for changes of a requirement that one line folds: the same deviation, newly asked or not, or reason. */
export const changeKey = (change: {
  readonly case: string;
  readonly stimulus?: string;
  readonly detail: string;
  readonly first?: true;
}): string =>
  JSON.stringify([change.stimulus === undefined ? '' : requirementOf(change.case), change.detail, change.first]);
