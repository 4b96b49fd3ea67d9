/** Whatever fails, and whenever: no call stays open unnamed, nothing stays changed unnamed, and the exit code is right. */

import { describe, expect, test } from 'vitest';
import { FAILURES, MOMENTS, play } from './chaos.ts';

describe.each(Object.keys(MOMENTS))('%s', (moment) => {
  test.each(FAILURES.map((failure) => [failure.name, failure] as const))('%s', async (_, failure) => {
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
