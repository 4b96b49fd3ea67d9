/** A part of the pairs of planted fault and lawful variant. */

import { describe, expect, test } from 'vitest';
import { provePair } from '../../src/selftest/prove.ts';
import { isOverSocket, pairBatches } from './batches.ts';

/** Registers the tests of part `part` of `parts`, of which at least `real` pairs are none in which the fault is hidden. */
export function provePairs(part: number, parts: number, real: number): void {
  describe('a planted fault is caught in a lawful variant, too', () => {
    let caught = 0;

    test.each(pairBatches(part, parts))('in the sample from $from to $to', async ({ from, rows }) => {
      const missed: unknown[] = [];
      for (const [index, pair] of rows.entries()) {
        const proof = await provePair(pair, { socket: isOverSocket(from + index) });
        if (proof.kind === 'holds') caught += 1;
        if (proof.kind === 'broken') missed.push({ fault: pair.fault.name, choices: pair.choices, proof });
      }
      expect(missed).toEqual([]);
    });

    test('in most of the pairs nothing hides the fault', () => {
      expect(caught).toBeGreaterThanOrEqual(real);
    });
  });
}
