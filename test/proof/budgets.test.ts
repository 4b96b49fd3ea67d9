/** Dangerous questions first: low caps leave requests and calls for credentials, organizations and secrets (model, section 5). */

import { describe, expect, test } from 'vitest';
import { asOurs, holding, minimalCall } from '../../fixtures/faults/requests.ts';
import { all, anonymous, authorized, on } from '../../fixtures/faults/visit.ts';
import { hearing } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';
import { DANGEROUS, LOW, proveLowCaps } from './budgets.ts';
import { partOf } from './samples.ts';

proveLowCaps(partOf(DANGEROUS, 1, 12));

describe('with 300 requests and 3 calls', () => {
  test('a correct service is not accused, and nothing stays open or changed', async () => {
    const { service, settings, inspect } = createReference();
    const { record, results } = await judge(service, optionsFrom(settings, LOW));
    expect([results.verdict, brokenIn(results)]).toEqual(['incomplete', []]);
    expect([record.changed, record.possiblyOpen, inspect().callsOpen]).toEqual([[], [], 0]);
    expect(results.counts.calls).toBe(inspect().callsAccepted);
  });
});

test.each([3, 12])('with %i calls, wrongly accepted bodies leave one for invalid credentials', async (maxCalls) => {
  const { service, settings, inspect } = createReference();
  const coercing = hearing(all(on('createCall'), authorized), (visit) => holding(visit, minimalCall(visit)));
  const open = hearing(all(on('createCall'), anonymous), asOurs);
  const faulty = coercing(open(service, settings), settings);
  const { record, results } = await judge(faulty, optionsFrom(settings, { maxCalls }));
  expect(brokenIn(results)).toEqual(expect.arrayContaining(['AUTH-CREDENTIAL-REQUIRED', 'CALL-CREATE-BODY']));
  expect(record.calls).toBeLessThanOrEqual(maxCalls);
  expect(results.counts.calls).toBe(inspect().callsAccepted);
  expect(record.possiblyOpen).toEqual([]);
});
