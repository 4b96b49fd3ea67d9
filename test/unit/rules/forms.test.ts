/** The form of a request is told where everything that deviates in one way was sent in it, and nothing like it met the requirement. */

import { expect, test } from 'vitest';
import { failureOf, foldFindings } from '../../../src/verdict/folded.ts';
import { found, PASS } from '../../../src/verdict/opinion.ts';
import { type Due, needOf } from '../../../suites/sequences/sending.ts';
import { demand, exchangeOf } from './exchanges.ts';

/** An exchange: what was sent, in which form, whether it met the requirement, and the credential and the status. */
interface Sent {
  readonly about: string;
  readonly form?: string;
  readonly passes?: true;
  readonly credential?: 'truncated';
  readonly status?: number;
}

const BARE = { form: 'without Accept' } as const;
const ONE: Sent = { about: 'a', ...BARE };
const TWO: Sent = { about: 'b', ...BARE };
const PLAIN: Sent = { about: 'c', passes: true };

function toldOf(sent: readonly Sent[]): string {
  const exchanges = sent.map((one, at) => {
    const { about, form, credential = 'valid', status = 400 } = one;
    const tag = { about, ...(form === undefined ? {} : { form }) };
    return { passes: one.passes, exchange: exchangeOf({ status, tag, request: { credential } }, at) };
  });
  const opinions = exchanges.map(({ passes, exchange }) => {
    const opinion = passes ? PASS : found('the body', 'JSON', 'markup');
    return { id: 'X/updateTrunk', variation: '', opinion, exchange };
  });
  const { findings } = foldFindings(
    opinions,
    'updateTrunk',
    exchanges.map(({ exchange }) => exchange),
  );
  return failureOf({ level: 'must' }, findings)?.reason?.replace(/^[^(]*/, '') ?? '';
}

const base: readonly Sent[] = [ONE, TWO, PLAIN];
const inForm: Sent = { ...PLAIN, ...BARE };

demand<{ readonly sent?: readonly Sent[] }>(
  'a form that all findings share is told',
  ({ sent = base }) => toldOf(sent),
  '(all without Accept: a; b)',
  [
    ['one was sent in another form', { sent: [ONE, { about: 'b' }, PLAIN] }, '(a; b)'],
    ['the like met the requirement in it', { sent: [ONE, TWO, inForm] }, '(a; b)'],
    ['there is one', { sent: [ONE, PLAIN] }, '(a, without Accept)'],
  ],
  [
    ['an accepted request met the requirement in it', { sent: [ONE, TWO, { ...inForm, status: 200 }] }],
    ['an invalid credential did', { sent: [ONE, TWO, { ...inForm, credential: 'truncated' }] }],
  ],
);

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
