/** The pairs of a fault and a lawful variant: test/proof proves a few of them, test/long all. */

import { describe, expect, test } from 'vitest';
import { provePair } from '../selftest/prove.ts';
import { type Pair, samplePairs } from '../selftest/sample.ts';

const SEED = 20_250_101;

/** The pairs: more than a thousand, since in some the variant hides the fault. */
export function allPairs(): readonly Pair[] {
  return samplePairs(1_240, SEED);
}

/** Part `part` of `parts`, counted from 1: the rows that one test file proves. */
export function partOf<T>(rows: readonly T[], part: number, parts: number): readonly T[] {
  return rows.filter((_, at) => at % parts === part - 1);
}

/** Rows of one test. */
const SIZE = 25;

/** The rows in batches, one for each test. */
export function batchesOf<T>(rows: readonly T[]) {
  return Array.from({ length: Math.ceil(rows.length / SIZE) }, (_, batch) => {
    const from = batch * SIZE;
    return { from, to: Math.min(from + SIZE, rows.length), batch: rows.slice(from, from + SIZE) };
  });
}

/** One row in ten is judged over a real socket. */
const isOverSocket = (at: number): boolean => at % 10 === 9;

/** Registers the proof of these pairs; in at least `caughtAtLeast` of them the fault is caught rather than hidden. */
export function provePairs(rows: readonly Pair[], caughtAtLeast: number): void {
  describe('a planted fault is caught in a lawful variant, too', () => {
    let caught = 0;

    test.each(batchesOf(rows))('in the sample from $from to $to', async ({ from, batch }) => {
      const missed: unknown[] = [];
      for (const [index, pair] of batch.entries()) {
        const proof = await provePair(pair, { socket: isOverSocket(from + index) });
        if (proof.kind === 'holds') caught += 1;
        if (proof.kind === 'broken') missed.push({ fault: pair.fault.name, choices: pair.choices, proof });
      }
      expect(missed).toEqual([]);
    });

    test('in most of the pairs nothing hides the fault', () => {
      expect(caught).toBeGreaterThanOrEqual(caughtAtLeast);
    });
  });
}
