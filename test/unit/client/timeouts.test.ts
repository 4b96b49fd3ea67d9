/** What a request costs on which the target hangs. */

import { expect, test } from 'vitest';
import type { SuiteRequest } from '../../../src/client/request.ts';
import { outgoing } from '../../../src/client/wire.ts';

const OPTIONS = {
  prefix: '',
  userAgent: 'test',
  caseSeed: null,
  credentials: { access: 'pcs_org_Fake0123456789abcdef' },
  timeouts: { call: 60, other: 10 },
};

const READ: SuiteRequest = {
  operation: 'listTrunks',
  method: 'GET',
  path: '/v1/trunks/',
  credential: 'valid',
  body: null,
  contentType: null,
  role: 'probe',
  asks: [],
  control: false,
  about: '',
};
const CREATE: SuiteRequest = { ...READ, operation: 'createCall', method: 'POST', path: '/v1/calls/' };

/** The timeouts of attempts that all time out. */
const hanging = (request: SuiteRequest, attempts: number): readonly number[] =>
  Array.from({ length: attempts }, (_, attempt) => {
    const place = { sequence: 'a', attempt, timeouts: attempt };
    return outgoing(request, place, OPTIONS).wire.timeout;
  });

test('six attempts at a read are two timeouts, three short ones, and half a minute: slow is not hanging', () => {
  expect(hanging(READ, 6)).toEqual([10, 10, 1.25, 1.25, 1.25, 30_000]);
});

test('two attempts at a create call take less than two, each enough for one that takes half a minute', () => {
  expect(hanging(CREATE, 2)).toEqual([60, 36]);
});

test('a hang-up gets a whole timeout each time', () => {
  const place = { sequence: 'a', attempt: 2, cleanUp: true };
  const request = { ...CREATE, operation: 'hangUpCall', path: '/v1/calls/a/hangup' } as const;
  expect(outgoing(request, place, OPTIONS).wire.timeout).toBe(10);
});

test('a repetition after another symptom gets three: slowness is not a failure', () => {
  expect(outgoing(READ, { sequence: 'a', attempt: 1 }, OPTIONS).wire.timeout).toBe(30);
});
