/** From the record to the target's choices in the gaps of the interface: observed, compared between runs, never judged. */

import { askedChoices } from './choices/asked.ts';
import type { Choice, Reader } from './choices/choice.ts';
import { courseChoices } from './choices/courses.ts';
import { errorChoices } from './choices/errors.ts';
import { limitChoices } from './choices/limits.ts';
import { refusalChoices } from './choices/refusals.ts';
import { requestChoices } from './choices/requests.ts';
import { successChoices } from './choices/successes.ts';
import { Evidence } from './index.ts';
import type { RunRecord } from './record.ts';

export type { Choice } from './choices/choice.ts';

const READERS: readonly Reader[] = [
  askedChoices,
  courseChoices,
  errorChoices,
  limitChoices,
  refusalChoices,
  requestChoices,
  successChoices,
];

const lineOf = ({ gap, operation, choice }: Choice): string => JSON.stringify({ gap, operation, choice });

function order(a: Choice, b: Choice): number {
  for (const key of ['gap', 'operation', 'choice'] as const) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  }
  return 0;
}

/** Each choice of the target once, by gap, operation and words, in the order of code units. */
export function choicesOf(record: Pick<RunRecord, 'header' | 'exchanges'>): readonly Choice[] {
  const exchanges = [...record.exchanges].sort((a, b) => a.seq - b.seq);
  const evidence = new Evidence({ profile: record.header.profile, settings: record.header.settings }, exchanges);
  const deciding = exchanges.filter((exchange) => evidence.standingOf(exchange) === 'decides');
  const choices = READERS.flatMap((reader) => reader(deciding));
  return [...new Map(choices.map((choice) => [lineOf(choice), choice])).values()].sort(order);
}

/** Choices as JSON, one a line and sorted, so that the files of two runs compare line by line. */
export function renderChoices(choices: readonly Choice[]): string {
  const lines = [...new Set(choices.toSorted(order).map(lineOf))];
  return lines.length === 0 ? '[]\n' : `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`;
}
