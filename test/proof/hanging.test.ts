/** A target that hangs costs a run little, and is judged all the same. */

import { expect, test } from 'vitest';
import { casesOf, isBroken } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';
import { judgeSlow, operationAt } from './hanging.ts';

test('an operation that always hangs is confirmed, not asked again, and the others are judged', async () => {
  const { record, results, seconds, unnamed } = await judgeSlow((request) =>
    operationAt(request) === 'updateVoiceApplication' ? null : 20,
  );
  // A timeout of 10 s, 30 s for a target that is slow, and 1.25 s for a batch of invalid credentials; nothing else takes longer than 20 ms.
  expect(record.waits).toEqual([{ reason: 'silence', operation: 'updateVoiceApplication', times: 11, seconds: 51.3 }]);
  expect(seconds).toBeLessThan(54 + 0.02 * record.exchanges.length);
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
  expect(reasons).toContainEqual([
    'the operation left its last requests without a response',
    'RESPONSE-COMPLETE fails for updateVoiceApplication: fix that first',
  ]);
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
  const cases = casesOf(results);
  expect([cases.filter(isBroken), record.endedEarly]).toEqual([[], null]);
  // A hang-up that ended its call is not sent again to be judged, so a lost answer to it stays open.
  const open = cases.filter(({ verdict }) => verdict === 'inconclusive');
  expect(open.filter(({ id, remedy }) => id !== 'RESPONSE-COMPLETE/hangUpCall' || remedy !== 'run again')).toEqual([]);
});
