/** When a fault and a lawful variant make no pair: the variant is free to do what hides the fault. */

import type { Verdict } from '../engine/verdict.ts';
import { brokenIn, casesOf, isBroken, type Judged, judged, type Manner } from './judged.ts';
import type { Pair } from './sample.ts';

/** The cases of these results that nobody could judge, or under which nothing fell. */
function openIn({ results }: Judged, ...verdicts: readonly Verdict[]): ReadonlySet<string> {
  return new Set(casesOf(results).flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? [id] : [])));
}

/**
 * Why the fault cannot be seen in the variant, or `null` where it can. `caught` are the recommendations of the fault
 * that the faulty variant was warned of: they show the fault only if the variant alone keeps them.
 */
export async function whyHidden(
  { fault, choices }: Pair,
  caught: readonly string[],
  faulty: Judged,
  manner: Manner,
): Promise<string | null> {
  if (!faulty.showed) return 'the fault never showed: nothing that triggers it is part of the variant';
  const alone = await judged(choices, manner);
  const own = brokenIn(alone.results);
  if (fault.breaks.every((id) => own.includes(id))) return 'the variant alone is warned of what the fault breaks';
  if (caught.length > 0) return null;
  const broken = casesOf((await judged({}, {}, fault)).results).filter(isBroken);
  // Declared open (which is proved of the variant), or nothing that it answers falls under them.
  const open = openIn(alone, 'inconclusive', 'not-exercised');
  if (broken.every(({ id }) => open.has(id))) return 'the variant leaves open what the fault breaks';
  // The fault gets the very answer that the variant gives for another reason: then the run says that it cannot judge.
  const undecided = openIn(faulty, 'inconclusive');
  const isSaid = faulty.results.verdict === 'incomplete' && broken.every(({ id }) => undecided.has(id));
  return isSaid ? 'the suite says that it cannot judge what the fault breaks' : null;
}
