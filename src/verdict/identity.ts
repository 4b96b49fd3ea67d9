/** When two findings are one: in two runs, in one run whatever was sent, and wherever in the response it was seen. */

import type { Finding } from './opinion.ts';
import { requirementOf } from './record.ts';
import type { FoldedFinding } from './results.ts';

/** What a finding is known by, within its case. */
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

/** Equal for findings that deviate in the same way, whatever was sent. */
export const likeness = ({ expected, actual, where }: Finding): string => JSON.stringify([expected, actual, where]);

/** The same, wherever in the response it was seen: one broken encoder breaks the 400 and the 401 alike. */
export const contrast = ({ expected, actual }: Pick<Finding, 'expected' | 'actual'>): string =>
  JSON.stringify([expected, actual]);

/** Whether it deviates in what an answer contains: a status, a lost response, or a stored value may each have a reason of its own. */
export const isOfContent = ({ where }: Pick<Finding, 'where'>): boolean =>
  !/^the (status|response|value)\b/.test(where);

/** The deviation in words: `expected no 5xx, got status 500`, and where it was seen, unless that is the status itself. */
export const deviationPhrase = ({ expected, actual, where }: Finding): string =>
  `expected ${expected}, got ${actual}${where === 'the status' ? '' : ` in ${where}`}`;

/** Equal for changes of a requirement that a line folds: the same deviation, asked before or not, or the same reason of whole cases. */
export const changeKey = (change: {
  readonly case: string;
  readonly stimulus?: string;
  readonly detail: string;
  readonly first?: true;
}): string =>
  JSON.stringify([change.stimulus === undefined ? '' : requirementOf(change.case), change.detail, change.first]);
