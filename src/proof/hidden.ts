/** When a fault and a lawful variant make no pair: the variant is free to do what hides the fault. */

import { brokenIn, casesOf, isBroken, type Judged, judged, type Manner } from './judged.ts';
import type { Pair } from './sample.ts';

/**
 * The cases that the fault breaks in the reference service are, in the variant without it, all left open: they are
 * declared so (which is proved of the variant), or nothing that it answers falls under them.
 */
async function isLeftOpen({ fault }: Pair, alone: Judged): Promise<boolean> {
  const broken = casesOf((await judged({}, {}, fault)).results).filter(isBroken);
  const open = casesOf(alone.results).filter(
    ({ verdict }) => verdict === 'inconclusive' || verdict === 'not-exercised',
  );
  return broken.every(({ id }) => open.some((one) => one.id === id));
}

/**
 * Why the fault cannot be seen in the variant, or `null` where it can. `caught` are the recommendations of the fault
 * that the faulty variant was warned of: they show the fault only if the variant alone keeps them.
 */
export async function whyHidden(
  pair: Pair,
  caught: readonly string[],
  faulty: Judged,
  manner: Manner,
): Promise<string | null> {
  if (!faulty.showed) return 'the fault never showed: nothing that triggers it is part of the variant';
  const alone = await judged(pair.choices, manner);
  const own = brokenIn(alone.results);
  if (pair.fault.breaks.every((id) => own.includes(id))) return 'the variant alone is warned of what the fault breaks';
  if (caught.length > 0) return null;
  return (await isLeftOpen(pair, alone)) ? 'the variant leaves open what the fault breaks' : null;
}
