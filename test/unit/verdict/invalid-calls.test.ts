/** What is said of invalid calls that get another status than 400. */

import { expect, test } from 'vitest';
import type { Inject } from '../../../fixtures/faults/fault.ts';
import { rejected } from '../../../fixtures/faults/replies.ts';
import { always, ours, whose } from '../../../fixtures/faults/visit.ts';
import { answeringInvalid, instead } from '../../../fixtures/faults/wrap.ts';
import { createReference } from '../../../fixtures/service/reference.ts';
import { narrowed } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { casesOf, isBroken } from '../../selftest/judged.ts';

const ASKED = narrowed('CALL-CREATE-REQUIRED-FIELDS', 'CALL-CREATE-FIELD-TYPES', 'CALL-CREATE-BODY');

async function judged(inject: Inject) {
  const { service, settings } = createReference();
  const { results } = await judge(inject(service, settings), optionsFrom(settings, ASKED));
  return casesOf(results);
}

const as = (status: number): Inject => answeringInvalid(status, always);

test.each([500, 503])('%i does not reject an invalid body, whatever else it breaks', async (status) => {
  const broken = (await judged(as(status))).filter(isBroken);
  const ofBody = broken.find(({ id }) => id === 'CALL-CREATE-BODY/createCall');
  expect(ofBody?.reason).toMatch(`expected rejection with 400, got status ${status} in the status`);
});

test('a wrong status that was compared once leaves no question with a setting that is not to blame', async () => {
  const cases = await judged(as(422));
  const open = cases.filter(isBroken).flatMap(({ unanswered = [] }) => unanswered);
  const said = new Set(open.map(({ reason, remedy }) => `${reason}, ${remedy}`));
  expect(open.length).toBeGreaterThan(20);
  expect([...said]).toEqual([
    'status 422 to an invalid body, as in the finding; it was compared with a valid one there, undefined',
  ]);
});

test('a rule that wants an application may reject {} as it rejects from and to alone', async () => {
  const wanting = instead(
    ours(
      'createCall',
      whose((members) => members['application_id'] === undefined),
    ),
    () => rejected(403),
  );
  expect((await judged(wanting)).filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
});
