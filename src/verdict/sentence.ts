/** What a verdict rests on, in words. */

import type { QuestionTotals } from './results.ts';

const NUMBER = new Intl.NumberFormat('en-US');

/** The names as a list: `A, B and C`. */
export function listed(names: readonly string[]): string {
  const last = names.slice(-1);
  return [names.slice(0, -1).join(', '), ...last].filter((part) => part !== '').join(' and ');
}

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
