/** Which lawful variants and which pairs of fault and variant are tried: the systematic ones first, the rest by seed. */

import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { VARIATION_POINTS } from '../../fixtures/variants/variation-points.ts';
import { pairwiseRows } from './pairwise.ts';
import { seededOrder, seededRows } from './seeded.ts';

/** A choice for each variation point, by name; for the others, the choice of the reference service. */
export type Choices = Readonly<Record<string, string>>;

/** The choices that can be mixed. */
const MIXED = VARIATION_POINTS.map(({ name, choices }) => {
  return { name, choices: choices.filter(({ isAlone }) => isAlone !== true) };
});
const COUNTS = MIXED.map(({ choices }) => choices.length);

function choicesAt(levels: readonly number[]): Choices {
  return Object.fromEntries(MIXED.map(({ name, choices }, at) => [name, choices[levels[at] ?? 0]?.name ?? '']));
}

/** Variants that contain every pair of choices of any two variation points. */
export function pairwiseVariants(): readonly Choices[] {
  return pairwiseRows(COUNTS).map(choicesAt);
}

/** Variants that make each choice alone and are the reference service in everything else. */
export function singleVariants(): readonly Choices[] {
  return VARIATION_POINTS.flatMap(({ name, choices }) => choices.slice(1).map((choice) => ({ [name]: choice.name })));
}

/** Variants at random, all choices equally likely; the same for the same seed. */
function randomVariants(count: number, seed: number): readonly Choices[] {
  return seededRows(COUNTS, seed, count).map(choicesAt);
}

/** Variants at random that are the reference service in about half of everything; the same for the same seed. */
function mixedVariants(count: number, seed: number): readonly Choices[] {
  const chosen = seededRows(COUNTS, seed, count);
  const halves = COUNTS.map(() => 2);
  const kept = seededRows(halves, seed + 1, count);
  return chosen.map((levels, row) => choicesAt(levels.map((level, at) => level * (kept[row]?.[at] ?? 1))));
}

/** As many variants as asked for: each choice alone, every pair of choices, and the rest at random. */
export function sampleVariants(count: number, seed: number): readonly Choices[] {
  const systematic = [...singleVariants(), ...pairwiseVariants()];
  return [...systematic, ...randomVariants(Math.max(0, count - systematic.length), seed)].slice(0, count);
}

/** A fault planted in a lawful variant. */
export interface Pair {
  readonly fault: Fault;
  readonly choices: Choices;
}

/**
 * Pairs at random: every fault as often as any other, each time in another variant; the same for the same seed. Half of
 * a variant's variation points keep the reference choice, since a variant that uses them all would hide many faults.
 */
export function samplePairs(count: number, seed: number): readonly Pair[] {
  const rounds = Math.ceil(count / FAULTS.length);
  const order = Array.from({ length: rounds }, (_, round) => seededOrder(FAULTS.length, seed + round)).flat();
  const variants = mixedVariants(count, seed);
  return order.slice(0, count).flatMap((at, index) => {
    const fault = FAULTS[at];
    const choices = variants[index];
    return fault === undefined || choices === undefined ? [] : [{ fault, choices }];
  });
}
