/** What a rejection needs beside it before it counts. */

import { expect, test } from 'vitest';
import { type Due, needOf } from '../../../suites/sequences/sending.ts';

const EXACT: Due = { statuses: [400], without: null };

/** `right behind`: a valid sibling is accepted right behind it; `once`: in the same run; `none`. */
test.each<readonly [Due, number | null, 'right behind' | 'once' | 'none']>([
  ['acceptance', 200, 'none'],
  ...[400, 404, 415, 422].map((status) => ['acceptance', status, 'right behind'] as const),
  ...[401, 402, 403, 409, 429, 500, 503, null].map((status) => ['acceptance', status, 'none'] as const),
  ['rejection', 400, 'once'],
  ['rejection', 422, 'once'],
  ['rejection', 401, 'none'],
  ['rejection', 429, 'none'],
  ['rejection', 503, 'none'],
  [EXACT, 400, 'once'],
  [EXACT, 422, 'right behind'],
  [EXACT, 503, 'right behind'],
  [{ statuses: [503], without: null }, 503, 'none'],
  [EXACT, 429, 'none'],
  [EXACT, 500, 'none'],
])('%j that gets %s needs a sibling: %s', (due, status, needs) => {
  const need = needOf({ status }, due);
  expect(need === null ? 'none' : need ? 'right behind' : 'once').toBe(needs);
});
