/** Every mutant of the reference service is caught, or listed with the reason why it may survive. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instrumentService } from '../mutation/instrument.ts';
import { judgeMutants } from '../mutation/judge-mutants.ts';
import survivors from '../mutation/survivors.json' with { type: 'json' };
import { differences, type Survivors } from '../mutation/survivors.ts';

test('the suite catches every mutant but the listed ones', { timeout: 7_200_000 }, async () => {
  const all = await instrumentService();
  try {
    const { reference, judged } = await judgeMutants(all, all.mutants);
    expect(reference).toMatchObject({ verdict: 'conformant', broken: [], open: [] });
    expect(differences(judged, survivors as readonly Survivors[])).toEqual([]);
  } finally {
    rmSync(all.folder, { recursive: true });
  }
});
