/** Which bodies of a 2xx are errors all the same. */

import { expect, test } from 'vitest';
import { asks, bodyOf, opinionOn } from '../rules/exchanges.ts';

const ERROR = { code: 'x', message: 'X.' };

const kindOf = (json: Readonly<Record<string, unknown>>) => {
  const body = bodyOf(json);
  const said = { tag: { asks: asks('SUCCESS-NOT-ERROR'), control: true }, body };
  return opinionOn('SUCCESS-NOT-ERROR', [said], 0)?.kind;
};

test.each([
  [{ error: ERROR }],
  [{ success: 'no', error: ERROR }],
  [{ error: { ...ERROR, more: 'y' } }],
  [{ error: ERROR, data: null, traceId: 'a', request_id: 'b', timestamp: 1 }],
])('the body %j is an error', (json) => {
  expect(kindOf(json)).toBe('finding');
});

test.each([
  [{}],
  [{ success: true, error: { code: '', message: '' } }],
  [{ success: 'yes' }],
  [{ error: ERROR, data: {} }],
  [{ error: ERROR, a: 'b' }],
  [{ error: ERROR, id: 'b' }],
  [{ data: { error: ERROR } }],
  [{ failure: ERROR }],
  [{ error: { code: 'x' } }],
  [{ error: { message: 'X.' } }],
  [{ error: { code: null, message: 'X.' } }],
  [{ error: { code: 'x', message: null } }],
  [{ error: { inner: ERROR } }],
  [{ error: 'x' }],
])('the body %j is none', (json) => {
  expect(kindOf(json)).toBe('pass');
});
