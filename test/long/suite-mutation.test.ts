/** Every mutant of the suite's expectations and guards is noticed, or listed with the reason why it may survive. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judgeSuite } from '../mutation/judge-suite.ts';
import { instrumentSuite } from '../mutation/suite-copy.ts';
import survivors from '../mutation/suite-survivors.json' with { type: 'json' };
import { type SuiteSurvivors, suiteDifferences } from '../mutation/suite-survivors.ts';

test('records and unit tests notice every mutant but the listed ones', { timeout: 14_400_000 }, async () => {
  const copy = await instrumentSuite();
  try {
    expect(suiteDifferences(await judgeSuite(copy), survivors as readonly SuiteSurvivors[])).toEqual([]);
  } finally {
    rmSync(copy.folder, { recursive: true });
  }
});
