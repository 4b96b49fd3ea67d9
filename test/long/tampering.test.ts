/** Ten thousand changed bytes, and each field of each JSON file: none of these bundles is verified. */

import { expect, test } from 'vitest';
import { bytesOf, narrowBundle, newKeys } from '../unit/certificate/certified.ts';
import {
  allLeavesOf,
  changedAt,
  fieldChanges,
  listedFiles,
  numbersFrom,
  rejectionOf,
} from '../unit/certificate/tampering.ts';

const POSITIONS = 10_000;
const keys = newKeys();

/** A bundle of two operations, because it is hashed ten thousand times. */
const small = bytesOf(await narrowBundle(keys.own));

test('a bundle is rejected for ten thousand changed positions', async () => {
  expect(await rejectionOf(small, keys.known)).toBeNull();
  const files = listedFiles(small);
  const total = files.reduce((sum, [, data]) => sum + data.length, 0);
  const draw = numbersFrom(6);
  for (let count = 0; count < POSITIONS; count += 1) {
    let at = draw(total);
    const found = files.find(([, data]) => {
      if (at < data.length) return true;
      at -= data.length;
      return false;
    });
    const name = found?.[0] ?? '';
    const bytes = changedAt(small, name, at, draw(255) + 1);
    expect(await rejectionOf(bytes, keys.known), `${name} at ${at}`).toContain(`${name} has the digest`);
  }
});

test('a bundle is rejected for every changed JSON field of every file', async () => {
  let fields = 0;
  for (const { place, changedBytes } of fieldChanges(small, allLeavesOf)) {
    fields += 1;
    expect(await rejectionOf(changedBytes, keys.known), place).toMatch(/\w+ \w+ \w+/);
  }
  expect(fields).toBeGreaterThan(3_000);
});
