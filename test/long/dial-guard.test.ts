/** Over a million create-call bodies, valid, broken and malformed, of which none that passes dials another number. */

import { test } from 'vitest';
import { demandGuarded } from '../unit/client/guarded.ts';

const BODIES = 101_000;
const SEEDS = Array.from({ length: 10 }, (_, at) => 20_270_101 + at);

test.each(SEEDS)('no reader finds another number in a body that the guard lets pass (seed %i)', (seed) => {
  demandGuarded(BODIES, seed);
});
