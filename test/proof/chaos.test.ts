/** Whatever fails, and whenever: no call stays open unnamed, nothing stays changed unnamed, and the exit code is right. */

import { describe, expect, test } from 'vitest';
import { sampled } from '../sampled.ts';
import { FAILURES, MOMENTS, play } from './chaos.ts';

// Twelve failures: one scenario in seven meets most of them, and each moment.
const SCENARIOS = sampled(
  Object.keys(MOMENTS).flatMap((moment) => FAILURES.map((failure) => ({ moment, name: failure.name, failure }))),
  7,
);

describe(`each failure at each moment (${SCENARIOS.words})`, () => {
  test.each(SCENARIOS.items)('$moment: $name', async ({ moment, failure }) => {
    const { run, struck, unnamed, changed, placedLater, cleaned, open } = await play(failure, moment);
    expect({ struck, unnamed, changed }, `${run.screen}\n${cleaned?.screen}`).toEqual({
      struck: true,
      unnamed: 0,
      changed: [],
    });
    expect(failure.codes).toContain(run.code);
    expect(placedLater).toBeLessThanOrEqual(1);
    if (open.length > 0) expect(cleaned === null ? [3, 4, 129, 130, 143] : [3]).toContain((cleaned ?? run).code);
  });
});
