/** The large samples of the proof, cut so that several workers share them and no single test takes long. */

import { samplePairs, sampleVariants, singleVariants } from '../../src/selftest/sample.ts';

/** The sample that is proved each time. */
const SEED = 20_250_101;

/** A part of a sample, with the place of its first row. */
export interface Batch<T> {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly T[];
}

/** Rows of one test. */
const SIZE = 25;

function batchesOf<T>(rows: readonly T[], part: number, parts: number): readonly Batch<T>[] {
  const [first, end] = [part - 1, part].map((edge) => Math.round((rows.length * edge) / parts));
  const batches: Batch<T>[] = [];
  for (let from = first ?? 0; from < (end ?? 0); from += SIZE) {
    const to = Math.min(from + SIZE, end ?? 0);
    batches.push({ from, to, rows: rows.slice(from, to) });
  }
  return batches;
}

/** The thousand variants but for those with one choice alone, which have tests of their own; part `part` (from 1). */
export function variantBatches(part: number, parts: number) {
  return batchesOf(sampleVariants(1_000, SEED).slice(singleVariants().length), part, parts);
}

/** The pairs, part `part` of `parts` (from 1): more than a thousand, since in some the variant hides the fault. */
export function pairBatches(part: number, parts: number) {
  return batchesOf(samplePairs(1_240, SEED), part, parts);
}

/** One row in ten is judged over a real socket. */
export function isOverSocket(at: number): boolean {
  return at % 10 === 9;
}
