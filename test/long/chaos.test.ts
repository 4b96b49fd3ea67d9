/** A thousand failures at random moments: by its number each one can be played again. */

import { expect, test } from 'vitest';
import { FAILURES, MOMENTS, play } from '../proof/chaos.ts';

const SCENARIOS = 1_000;

/** A number below `limit` that follows from the seed. */
function drawn(seed: number, salt: number, limit: number): number {
  let state = (seed * 7_919 + salt * 104_729 + 1) % 2_147_483_647;
  for (let step = 0; step < 4; step += 1) state = (state * 48_271) % 2_147_483_647;
  return state % limit;
}

const moments = Object.keys(MOMENTS);

test.each(Array.from({ length: 20 }, (_, block) => block))('block %i of failures', async (block) => {
  for (let seed = block; seed < SCENARIOS; seed += 20) {
    const failure = FAILURES[drawn(seed, 1, FAILURES.length)];
    const moment = moments[drawn(seed, 2, moments.length)];
    if (failure === undefined || moment === undefined) throw new Error('nothing was drawn');
    const nth = 1 + drawn(seed, 3, 4);
    const { run, struck, unnamed, changed, placedLater, open, cleaned } = await play(failure, moment, nth);
    const scenario = `${seed}: ${failure.name}, ${moment}, ${nth}`;
    expect({ unnamed, changed, placedLater: Math.max(1, placedLater) }, scenario).toEqual({
      unnamed: 0,
      changed: [],
      placedLater: struck ? 1 : Math.max(1, placedLater),
    });
    expect(struck ? failure.codes : [0], scenario).toContain(run.code);
    if (open.length > 0) expect([3, 4, 129, 130, 143], scenario).toContain((cleaned ?? run).code);
  }
});
