/** The property of the dial guard: no reader, however lenient, finds another number in a body that it lets pass. */

import { expect } from 'vitest';
import { chance } from '../../../fixtures/gateways/drawn.ts';
import type { DialNumbers } from '../../../src/client/client-options.ts';
import { dialGuard } from '../../../src/client/safety/guard.ts';
import { create, NO_IDS, NUMBERS } from './create-request.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { found, isForeign } from './lenient-readers.ts';

/** The body with other numbers in place of the usual ones. */
function dialled(body: Uint8Array, { from, to }: DialNumbers): Uint8Array {
  const text = Buffer.from(body).toString('latin1');
  return Buffer.from(text.replaceAll(NUMBERS.from, from).replaceAll(NUMBERS.to, to), 'latin1');
}

/** Tries that many bodies; the same seed gives the same bodies. */
export function demandGuarded(bodies: number, seed: number, numbers: DialNumbers = NUMBERS): void {
  const counts = { passed: 0, withNumber: 0, stopped: 0 };
  for (const made of hostileBodies(chance(seed), bodies)) {
    const body = dialled(made, numbers);
    const values = found(body);
    const foreign = values.filter(({ role, value }) => isForeign(value, numbers[role]));
    if (dialGuard(create(body), { numbers, ids: NO_IDS }) !== null) {
      counts.stopped += foreign.length > 0 ? 1 : 0;
      continue;
    }
    counts.passed += 1;
    counts.withNumber += values.length > 0 ? 1 : 0;
    if (foreign.length > 0) expect.fail(`${JSON.stringify(foreign[0])} in ${Buffer.from(body).toString('latin1')}`);
  }
  // The property says something only while many bodies pass and many dangerous ones are stopped.
  expect(counts.passed).toBeGreaterThan(bodies / 20);
  expect(counts.withNumber).toBeGreaterThan(bodies / 40);
  expect(counts.stopped).toBeGreaterThan(bodies / 10);
}
