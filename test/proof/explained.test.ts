/** What explains an answer is checked before it is believed: an outage, a lock-out, a dependency that is unavailable. */

import { expect, test } from 'vitest';
import { FAULTS, planted } from '../../fixtures/faults/index.ts';
import { json } from '../../fixtures/faults/replies.ts';
import { operationOf } from '../../fixtures/faults/visit.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { durationOf } from '../../src/run/facts.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBroken } from '../selftest/judged.ts';
import { comesOutTheSameToo } from './again.ts';

const stored = FAULTS.filter(({ mechanism }) => mechanism === 'value that is stored and cannot be shown');
const HERE = sampled(stored, 2);

test.each(HERE.items)(`$name is found within seconds, as a failure of the update (${HERE.words})`, async (fault) => {
  const { service, settings } = planted(fault, createReference());
  const clock = skippingClock();
  const { record, results } = await judge(
    service,
    optionsFrom(settings, narrowed('NO-SERVER-ERROR/updateTrunk', 'LIST-STATUS')),
    clock,
  );
  const broken = casesOf(results).filter(isBroken);
  expect(broken.map(({ id }) => id)).toContain('NO-SERVER-ERROR/updateTrunk');
  expect(results.intermittent).toEqual([]);
  expect(results.endedEarly).toBeNull();
  // It had been 605 seconds of waiting for the end of outages, and no failing case.
  // Two reads show it, and each failure is repeated for 21 seconds.
  expect(durationOf(record.exchanges)).toBeLessThan(45_000);
  expect(record.changed).toEqual([]);
  await comesOutTheSameToo(record);
});

/** What a service answers instead of the reference. */
type Change = (reply: ServiceReply, operation: OperationId | null) => ServiceReply;

/** A run against the reference service with that change, in virtual time. */
async function judged(change: Change, asked: readonly string[]) {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const changed: Service = async (request) => change(await service(request), operationOf(request));
  const { record, results } = await judge(changed, optionsFrom(settings, narrowed(...asked)), clock);
  await comesOutTheSameToo(record);
  return { record, results, waited: durationOf(record.exchanges) };
}

test('a 401 from an error route is not waited for as a lock-out, since the credential is accepted in between', async () => {
  // Spring: /error wants the credential anew, so each 400 becomes a 401. It had cost 301 seconds.
  const { results, record, waited } = await judged(
    (reply) => (reply.status === 400 ? { ...reply, status: 401 } : reply),
    ['AUTH-CREDENTIAL-ACCEPTED', 'UPDATE-FIELD-TYPES', 'CALL-CREATE-FIELD-TYPES', 'NUMBER-ASSIGN-INVALID'],
  );
  expect(waited).toBeLessThan(5_000);
  expect(record.settled?.lockedOut).toBeUndefined();
  expect(
    casesOf(results)
      .filter(isBroken)
      .map(({ id }) => id),
  ).toContain('AUTH-CREDENTIAL-ACCEPTED/updateTrunk');
});

const unavailable = (message: string) => json(503, { success: false, error: { code: 'unavailable', message } });

test('an inventory that is not configured is waited for once, and its message is quoted', async () => {
  const { results, waited } = await judged(
    (reply, operation) => (operation === 'searchAvailableNumbers' ? unavailable('no inventory is configured') : reply),
    ['SUCCESS-STATUS', 'PATH-SERVED', 'AUTH-SECRET', 'AUTH-CREDENTIAL-ACCEPTED'],
  );
  // It had been 153 seconds.
  expect(waited).toBeLessThan(10_000);
  const open = casesOf(results).filter(
    ({ operation, verdict }) => operation === 'searchAvailableNumbers' && verdict === 'inconclusive',
  );
  expect(open.length).toBeGreaterThan(0);
  expect(
    open
      .filter(({ remedy }) => remedy !== undefined && !remedy.includes('no inventory is configured'))
      .map(({ remedy }) => remedy),
  ).toEqual([]);
});
