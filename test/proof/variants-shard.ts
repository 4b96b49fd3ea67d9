/** A part of the thousand lawful variants. */

import { describe, expect, test } from 'vitest';
import { proveVariant } from '../../src/selftest/prove.ts';
import { isOverSocket, variantBatches } from './batches.ts';

/** Registers the tests of part `part` of `parts`. */
export function proveVariants(part: number, parts: number): void {
  describe('no lawful variant is accused, and what stays open is declared', () => {
    test.each(variantBatches(part, parts))('in the sample from $from to $to', async ({ from, rows }) => {
      const broken: unknown[] = [];
      for (const [index, choices] of rows.entries()) {
        const proof = await proveVariant(choices, { socket: isOverSocket(from + index) });
        if (proof.kind !== 'holds') broken.push({ choices, proof });
      }
      expect(broken).toEqual([]);
    });
  });
}
