/** Dangerous questions first: low caps leave requests and calls for credentials, organizations and secrets (model, section 5). */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { asOurs, holding, minimalCall } from '../../fixtures/faults/requests.ts';
import { all, anonymous, authorized, on } from '../../fixtures/faults/visit.ts';
import { hearing } from '../../fixtures/faults/wrap.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../../src/selftest/harness.ts';
import { brokenIn } from '../../src/selftest/judged.ts';

const LOW = { maxRequests: 300, maxCalls: 3 } as const;

const FAMILIES: readonly string[] = [
  ...['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SCHEME', 'AUTH-SECRET', 'AUTH-HEADER-ONLY', 'AUTH-REVOKED'],
  ...['AUTH-NO-EFFECT', 'ORG-ISOLATION', 'ORG-CALL', 'ORG-NO-EFFECT', 'SECRET-WITHHELD', 'CREDENTIAL-WITHHELD'],
];

/** These show only after several requests of one kind, or in details of bodies: a low cap has no room for them. */
const LATE: readonly string[] = [
  ...['caller-remembered', 'revoked-but-for-trunks', 'foreign-hang-up-happens', 'spring-cache-without-a-key'],
  ...['python-decode-error-with-the-document', 'pydantic-input-in-the-error'],
];

/** One fault of each mechanism is enough. */
const DANGEROUS = FAULTS.filter(
  ({ breaks, name, mechanism }, at) =>
    FAMILIES.includes(breaks[0]) &&
    !LATE.includes(name) &&
    FAULTS.findIndex((one) => one.mechanism === mechanism) === at,
);

describe('with 300 requests and 3 calls', () => {
  test.each(DANGEROUS)('a run names what $name breaks', async (fault: Fault) => {
    const { service, settings } = planted(fault, createReference());
    const { record, results } = await judge(service, optionsFrom(settings, LOW));
    expect(brokenIn(results)).toContain(fault.breaks[0]);
    expect(results.verdict).toBe('non-conformant');
    expect(record.calls).toBeLessThanOrEqual(LOW.maxCalls);
  });

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
