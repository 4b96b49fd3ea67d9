import { expect } from 'vitest';
import type { NullService } from '../../fixtures/null/null-service.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const ALLOWED = 3;

/** Demands that a run against a null service places no more calls than are allowed. */
export async function demandFewCalls({ make }: NullService): Promise<void> {
  const { settings } = createReference();
  const { results } = await judge(make(settings), optionsFrom(settings, { maxCalls: ALLOWED }));
  expect(results.counts.calls).toBeLessThanOrEqual(ALLOWED);
}
