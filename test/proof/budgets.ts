/** Faults that low caps must not hide: test/proof proves every sixth, test/long the others. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault, planted } from '../../fixtures/faults/index.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { brokenIn } from '../selftest/judged.ts';

/** Caps that leave room for the dangerous questions alone. */
export const LOW = { maxRequests: 300, maxCalls: 3 } as const;

const FAMILIES: readonly string[] = [
  ...['AUTH-CREDENTIAL-REQUIRED', 'AUTH-SCHEME', 'AUTH-SECRET', 'AUTH-HEADER-ONLY', 'AUTH-REVOKED'],
  ...['AUTH-NO-EFFECT', 'ORG-ISOLATION', 'ORG-CALL', 'ORG-NO-EFFECT', 'SECRET-WITHHELD', 'CREDENTIAL-WITHHELD'],
];

/** These show only after several requests of one kind, or in details of bodies: a low cap has no room for them. */
const LATE: readonly string[] = [
  ...['caller-remembered', 'revoked-but-for-trunks', 'foreign-hang-up-happens', 'spring-cache-without-a-key'],
  ...['python-decode-error-with-the-document', 'pydantic-input-in-the-error', 'foreign-change-names-the-trunk'],
];

/** One fault of each mechanism is enough. */
export const DANGEROUS: readonly Fault[] = FAULTS.filter(
  ({ breaks, name, mechanism }, at) =>
    FAMILIES.includes(breaks[0]) &&
    !LATE.includes(name) &&
    FAULTS.findIndex((one) => one.mechanism === mechanism) === at,
);

/** Registers the proof of these faults. */
export function proveLowCaps(faults: readonly Fault[]): void {
  describe('with 300 requests and 3 calls', () => {
    test.each(faults)('a run names what $name breaks', async (fault) => {
      const { service, settings } = planted(fault, createReference());
      const { record, results } = await judge(service, optionsFrom(settings, LOW));
      expect(brokenIn(results)).toContain(fault.breaks[0]);
      expect(results.verdict).toBe('non-conformant');
      expect(record.calls).toBeLessThanOrEqual(LOW.maxCalls);
    });
  });
}
