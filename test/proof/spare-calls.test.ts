/** A target that accepts wrong bodies gets unplanned calls: those that the usual limit spares suffice for the dangerous questions. */

import { expect, test } from 'vitest';
import { asOurs, holding, minimalCall } from '../../fixtures/faults/requests.ts';
import { all, anonymous, authorized, on } from '../../fixtures/faults/visit.ts';
import { hearing } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

test('wrongly accepted bodies leave calls for invalid credentials', async () => {
  const { service, settings, inspect } = createReference();
  const coercing = hearing(all(on('createCall'), authorized), (visit) => holding(visit, minimalCall(visit)));
  const open = hearing(all(on('createCall'), anonymous), asOurs);
  const { record, results } = await judge(coercing(open(service, settings), settings), optionsFrom(settings));
  expect(brokenIn(results)).toEqual(expect.arrayContaining(['AUTH-CREDENTIAL-REQUIRED', 'CALL-CREATE-BODY']));
  expect(record.calls).toBeLessThanOrEqual(optionsFrom(settings).maxCalls);
  expect(results.counts.calls).toBe(inspect().callsAccepted);
  expect(record.possiblyOpen).toEqual([]);
});

test('a partial run places no more calls than the whole one', async () => {
  const { service, settings } = createReference();
  const { record, results } = await judge(service, optionsFrom(settings, { only: ['NO-SERVER-ERROR'] }));
  expect([results.verdict, record.calls]).toEqual(['conformant', 12]);
});
