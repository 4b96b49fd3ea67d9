import { test } from 'vitest';
import { demandGuarded } from './guarded.ts';

/** A million of them are tried with the long tests. */
const BODIES = 4_000;
const SEED = 20_260_101;

test('no reader finds another number in a body that the guard lets pass', () => {
  demandGuarded(BODIES, SEED);
});
