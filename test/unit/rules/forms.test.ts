/** The form of a request is told where everything that deviates in one way was sent in it, and nothing like it met the requirement. */

import { failureOf, foldFindings } from '../../../src/verdict/folded.ts';
import { found, PASS } from '../../../src/verdict/opinion.ts';
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
