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
  ['calls and hang-ups in mid-run', (request, nth) => nth > 13 && /Call$/.test(operationAt(request) ?? '')],
  ['PATCH and PUT', ({ method }) => method.startsWith('P') && method !== 'POST'],
  ['bodies that are not ASCII', (request) => /[^ -~]/.test(textOf(request))],
  ['bodies of more than 200 bytes', ({ body }) => (body?.length ?? 0) > 200],
  ['requests without a credential', isAnonymous],
  ['HEAD and OPTIONS', ({ method }) => method === 'HEAD' || method === 'OPTIONS'],
  ['every other request in mid-run', (_, nth) => nth > 13 && nth % 2 === 0],
  ...[13, 28, 100, 200, 300, 420, 600, 700].map((from): [string, (_: WireRequest, nth: number) => boolean] => [
    `everything from request ${from} on`,
    (_, nth) => nth >= from,
  ]),
])('%s', async (_, hangs) => {
  const { record, seconds, unnamed } = await judgeSlow((request, nth) => (hangs(request, nth) ? null : 20));
  expect(seconds).toBeLessThan(120);
  expect(unnamed, record.possiblyOpen.join('\n')).toBe(0);
});

// Two create calls take a minute and a half, and every clean-up hangs as well (docs/design/waiting.md).
test.each([0, 13])('every write after request %i', async (first) => {
  const { record, seconds, unnamed } = await judgeSlow(({ method }, nth) =>
    nth > first && method !== 'GET' ? null : 20,
  );
  expect(seconds).toBeLessThan(140);
  expect(unnamed, record.possiblyOpen.join('\n')).toBe(0);
});
