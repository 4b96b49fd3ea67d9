/** Whatever hangs, a run ends by itself, and names every call that may be open. */

import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import type { WireRequest } from '../../src/exchange/message.ts';
import { judgeSlow, operationAt } from '../proof/hanging.ts';

const textOf = ({ body }: WireRequest): string => Buffer.from(body ?? []).toString('latin1');
const isAnonymous = ({ headers }: WireRequest): boolean => !headers.some(([name]) => name === 'Authorization');

test.each<[string, (request: WireRequest, nth: number) => boolean]>([
  ...OPERATIONS.map(({ id }): [string, (request: WireRequest) => boolean] => [
    id,
    (request) => operationAt(request) === id,
  ]),
  ['every read', ({ method }) => method === 'GET'],
  ['every read in mid-run', ({ method }, nth) => nth > 13 && method === 'GET'],
  ['PATCH and PUT', ({ method }) => method.startsWith('P') && method !== 'POST'],
  ['bodies that are not ASCII', (request) => /[^ -~]/.test(textOf(request))],
  ['bodies of more than 200 bytes', ({ body }) => (body?.length ?? 0) > 200],
  ['requests without a credential', isAnonymous],
  ['HEAD and OPTIONS', ({ method }) => method === 'HEAD' || method === 'OPTIONS'],
  ['every other request in mid-run', (_, nth) => nth > 13 && nth % 2 === 0],
  ...[13, 100, 300, 600].map((from): [string, (_: WireRequest, nth: number) => boolean] => [
    `everything from request ${from} on`,
    (_, nth) => nth >= from,
  ]),
])('%s', async (_, hangs) => {
  const { record, seconds, unnamed } = await judgeSlow((request, nth) => (hangs(request, nth) ? null : 20));
  expect(seconds).toBeLessThan(120);
  expect(unnamed, record.possiblyOpen.join('\n')).toBe(0);
});
