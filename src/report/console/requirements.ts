/** One line for each requirement: mark, id, statement and how many cases came to what. */

import type { RequirementResult } from '../../verdict/results.ts';
import { LOOKS, type Paint, WORST_FIRST } from './paint.ts';

/** Counts of a requirement's cases in words, worst first: `1 fail, 12 pass`. */
export function countsOf(requirement: RequirementResult): string {
  return WORST_FIRST.flatMap((verdict) => {
    const count = requirement.cases.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${LOOKS[verdict].word}`];
  }).join(', ');
}

function fitted(text: string, width: number): string {
  if (text.length <= width) return text;
  return width < 2 ? '' : `${text.slice(0, width - 1).trimEnd()}…`;
}

function line(requirement: RequirementResult, idWidth: number, width: number, paint: Paint): string {
  const { mark, tone } = LOOKS[requirement.verdict];
  const counts = countsOf(requirement);
  const room = width - idWidth - counts.length - 6;
  const statement = fitted(requirement.statement, room);
  const gap = Number.isFinite(width) ? ' '.repeat(Math.max(0, room - statement.length)) : '';
  const id = requirement.id.padEnd(idWidth);
  return `${paint(tone, mark)} ${id}  ${paint('quiet', statement)}${gap}  ${paint(tone, counts)}`;
}

/** The requirements by level, `must` first, each on a line of at most `width` columns where its counts leave room. */
export function requirementLines(
  requirements: readonly RequirementResult[],
  width: number,
  paint: Paint,
): readonly string[] {
  const idWidth = Math.max(0, ...requirements.map(({ id }) => id.length));
  return (['must', 'should'] as const).flatMap((level) => {
    const own = requirements.filter((requirement) => requirement.level === level);
    if (own.length === 0) return [];
    return [paint('strong', level), ...own.map((requirement) => line(requirement, idWidth, width, paint)), ''];
  });
}
