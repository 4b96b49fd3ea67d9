/** The proof of exploration: lawful services are accused of nothing, and what only a sequence shows is found. */

import type { Fault } from '../../fixtures/faults/fault.ts';
import { brokenIn, casesOf, judged } from '../selftest/judged.ts';
import type { Choices } from '../selftest/sample.ts';

/** What an exploration of a variant accuses it of, and what else is wrong with the run. */
export async function accusationsOf(choices: Choices, explore: number): Promise<readonly string[]> {
  const { record, results } = await judged(choices, { explore });
  const explored = new Set(record.exchanges.flatMap(({ seq, tag }) => (tag.origin === undefined ? [] : [seq])));
  // What the systematic part finds as well is told once more for each walk, as another stimulus.
  const added = casesOf(results).filter(({ findings }) => findings.every(({ example }) => explored.has(example)));
  const findings = added.flatMap(({ id, findings }) => findings.map(({ actual }) => `${id}: ${actual}`));
  return [...findings, ...record.errors.map(({ message }) => message), ...results.possiblyOpen];
}

/** What the systematic part says of a fault, and what an exploration says in addition, with the paths of its findings. */
export async function foundIn(fault: Fault, explore: number) {
  const without = brokenIn((await judged({}, {}, fault)).results);
  const { record, results } = await judged({}, { explore }, fault);
  const paths = casesOf(results)
    .flatMap(({ findings }) => findings)
    .flatMap(({ example }) => {
      const path = record.exchanges.find(({ seq }) => seq === example)?.tag.origin?.path;
      return path === undefined ? [] : [path];
    });
  return { without, found: brokenIn(results), paths };
}
