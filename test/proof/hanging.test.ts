/** A target that hangs costs a run little, and is judged all the same. */

import { expect, test } from 'vitest';
import type { WireRequest } from '../../src/exchange/message.ts';
import { comesOutTheSame } from './again.ts';
import { judgeSlow, operationAt } from './hanging.ts';

test('an operation that always hangs is confirmed, not asked again, and the others are judged', async () => {
  const { record, results, seconds, unnamed } = await judgeSlow((request) =>
    operationAt(request) === 'updateVoiceApplication' ? null : 20,
  );
  expect(seconds).toBeLessThan(62);
  expect([results.verdict, record.endedEarly, unnamed]).toEqual(['non-conformant', null, 0]);
  const failed = results.requirements.flatMap(({ id, cases }) =>
    cases.filter(({ verdict }) => verdict === 'fail').map(({ operation }) => `${id}/${operation}`),
  );
  expect(failed).toEqual(['RESPONSE-COMPLETE/updateVoiceApplication']);
  const reasons = results.requirements.flatMap(({ cases }) =>
    cases
      .filter(({ operation }) => operation === 'updateVoiceApplication')
      .map(({ reason, remedy }) => [reason, remedy]),
  );
  expect(reasons).toContainEqual(['the operation left its last requests without a response', 'raise --timeout']);
  await comesOutTheSame(record);
});

test('a target that leaves every second request without a response ends the run, with one sentence', async () => {
  const { record, seconds, unnamed } = await judgeSlow((_, nth) => (nth > 13 && nth % 2 === 0 ? null : 20));
  expect(seconds).toBeLessThan(120);
  expect([record.endedEarly, unnamed]).toEqual([
    expect.stringMatching(/^the target left requests without a response for \d+ seconds in total/),
    0,
  ]);
  await comesOutTheSame(record);
});

test('a target that goes silent ends the run within two minutes, and from then on it is only restored', async () => {
  const { record, seconds, unnamed } = await judgeSlow((_, nth) => (nth < 300 ? 20 : null));
  expect(seconds).toBeLessThan(120);
  expect([record.endedEarly, unnamed]).toEqual([expect.stringMatching(/^the target stopped responding/), 0]);
  const lastCheck = record.exchanges.findLastIndex(({ tag }) => tag.role === 'health-check');
  const after = record.exchanges.slice(lastCheck + 1).map(({ tag }) => tag.sequence);
  expect(after.length).toBeGreaterThan(3);
  expect(after.filter((sequence) => !/\/restore$|^clean-up of /.test(sequence))).toEqual([]);
});

test('a service that is slow but for the responses that a network loses is not accused', async () => {
  const { record, results } = await judgeSlow((request, nth) => {
    if (operationAt(request) === 'createCall') return 30_000;
    return nth % 97 === 0 ? null : 3_000;
  });
  expect([results.verdict, record.endedEarly]).toEqual(['conformant', null]);
});

// Each of these once took longer than its bound; test/long tries many more. What controls calls took 177 s here
// once requests went out one at a time.
test.each<[string, number, (request: WireRequest, nth: number) => boolean]>([
  ['every hang-up', 120, (request) => operationAt(request) === 'hangUpCall'],
  ['what controls calls, in mid-run', 180, (request, nth) => nth > 13 && /Call$/.test(operationAt(request) ?? '')],
  ['every PATCH and PUT', 100, ({ method }) => method === 'PATCH' || method === 'PUT'],
  ['long bodies', 106, ({ body }) => (body?.length ?? 0) > 200],
  ['bodies that are not ASCII', 100, ({ body }) => /[^ -~]/.test(Buffer.from(body ?? []).toString('latin1'))],
])('%s without a response cost at most %i seconds', async (_, most, hangs) => {
  const { record, seconds, unnamed } = await judgeSlow((request, nth) => (hangs(request, nth) ? null : 20));
  expect(seconds).toBeLessThan(most);
  expect(unnamed, record.possiblyOpen.join('\n')).toBe(0);
});
