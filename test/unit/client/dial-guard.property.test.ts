import { expect, test } from 'vitest';
import { dialGuard } from '../../../src/client/dial-guard.ts';
import { create, NUMBERS } from './create-request.ts';
import { hostileBodies, randomSource } from './hostile-bodies.ts';
import { found, isForeign } from './lenient-readers.ts';

/** A long set is this times a hundred and takes some minutes. */
const BODIES = 10_000;
const SEED = 20_260_101;

test('no reader finds a foreign number in a body that the guard lets pass', () => {
  const counts = { passed: 0, withNumber: 0, stopped: 0 };
  for (const body of hostileBodies(randomSource(SEED), BODIES)) {
    const values = found(body);
    const foreign = values.filter(({ role, value }) => isForeign(value, NUMBERS[role]));
    if (dialGuard(create(body), NUMBERS, []) !== null) {
      counts.stopped += foreign.length > 0 ? 1 : 0;
      continue;
    }
    counts.passed += 1;
    counts.withNumber += values.length > 0 ? 1 : 0;
    if (foreign.length > 0) expect.fail(`${JSON.stringify(foreign[0])} in ${Buffer.from(body).toString('latin1')}`);
  }
  // The property says something only while many bodies pass and many dangerous ones are stopped.
  expect(counts.passed).toBeGreaterThan(BODIES / 20);
  expect(counts.withNumber).toBeGreaterThan(BODIES / 40);
  expect(counts.stopped).toBeGreaterThan(BODIES / 10);
}, 600_000);
