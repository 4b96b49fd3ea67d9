/** Which lawful variants are tried: pairwise over all freedoms first, then at random by seed. */

import fc from 'fast-check';
import { FREEDOMS } from '../../fixtures/service/freedoms/freedoms.ts';
import { pairwiseRows } from '../generate/combine.ts';

/** A choice for each freedom, by name. */
export type Choices = Readonly<Record<string, string>>;

function named(levels: readonly number[]): Choices {
  return Object.fromEntries(
    FREEDOMS.map(({ name, choices }, at) => [name, choices[levels[at] ?? 0]?.name ?? choices[0]?.name ?? '']),
  );
}

/** Variants that show every pair of choices of any two freedoms. */
export function pairwiseVariants(): readonly Choices[] {
  return pairwiseRows(FREEDOMS.map(({ choices }) => ({ optional: false, count: choices.length }))).map(named);
}

/** Variants that make each choice alone and are the reference service in everything else. */
export function singleVariants(): readonly Choices[] {
  return FREEDOMS.flatMap(({ name, choices }) => choices.slice(1).map((choice) => ({ [name]: choice.name })));
}

/** As many variants as asked for: each choice alone, every pair, and the rest at random; the same for the same seed. */
export function sampleVariants(count: number, seed: number): readonly Choices[] {
  const systematic = [...singleVariants(), ...pairwiseVariants()];
  const levels = fc.tuple(...FREEDOMS.map(({ choices }) => fc.nat(choices.length - 1)));
  const rest = Math.max(0, count - systematic.length);
  const random = rest === 0 ? [] : fc.sample(levels, { seed, numRuns: rest }).map(named);
  return [...systematic, ...random].slice(0, count);
}
