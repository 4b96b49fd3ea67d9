/** Whether a rejection quotes what the organization wrote, or uses a word of the target's own. */

import { expect, test } from 'vitest';
import { Evidence } from '../../../src/verdict/evidence.ts';
import { quotes } from '../../../suites/expect/rejection.ts';
import { bodyOf, exchangeOf, type Said } from './judged-exchanges.ts';

const written = (name: string): Said => ({ request: { body: bodyOf({ name }) } });
const error = (text: string, path: string, credential: 'valid' | 'other-organization'): Said => ({
  status: 404,
  request: { method: 'GET', path, credential },
  body: bodyOf({ success: false, error: { code: 'not_found', message: `${text} connection not found` } }),
});

test.each([
  ['no error to us contains it', 'carrier', [], 'finding'],
  ['an error to us at another path contains it', 'carrier', [error('carrier', '/v1/other', 'valid')], undefined],
  ['an error to us at the same path contains it', 'carrier', [error('carrier', '/v1/same', 'valid')], 'finding'],
  ['it is the mark of a run', 'run 20500cb0', [error('run 20500cb0', '/v1/other', 'valid')], 'finding'],
])('a text that was written, where %s', (_where, text, ours, kind) => {
  const said = [written(text), ...ours, error(text, '/v1/same', 'other-organization')];
  const exchanges = said.map(exchangeOf);
  const last = exchanges.at(-1);
  if (last === undefined) throw new RangeError('there is no exchange');
  expect(quotes(last, new Evidence({ profile: 'full', settings: [] }, exchanges))?.kind).toBe(kind);
});
