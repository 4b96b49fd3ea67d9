/** A run that finds no fault in a mutant of the reference service lets it survive. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

test('a run against the reference service is conformant', async () => {
  const { service, settings } = createReference();
  const { results } = await judge(service, optionsFrom(settings));
  expect(results.verdict).toBe('conformant');
});
