/** What a verdict rests on, in words. */

import { listed } from '../contract/lists.ts';
import type { QuestionTotals } from './results.ts';

const NUMBER = new Intl.NumberFormat('en-US');

/** `2,400 of 2,431 questions answered; 31 need PCS_TRUNK_ID`. */
export function questionsSentence({ planned, answered, lacking }: QuestionTotals): string {
  const number = (count: number): string => NUMBER.format(count);
  const others = planned - answered - lacking.questions;
  const parts = [
    `${number(answered)} of ${number(planned)} questions answered`,
    ...(lacking.questions === 0
      ? []
      : [`${number(lacking.questions)} ${lacking.questions === 1 ? 'needs' : 'need'} ${listed(lacking.settings)}`]),
    ...(others === 0 ? [] : [`${number(others)} without an answer`]),
  ];
  return parts.join('; ');
}
