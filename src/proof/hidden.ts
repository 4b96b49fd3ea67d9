/** When a fault and a lawful variant make no pair: the variant is free to do what hides the fault. */

import { inconclusiveOf } from '../../fixtures/service/variant.ts';
import type { RunRecord } from '../engine/record.ts';
import { brokenIn, casesOf, isBroken, type Judged, judged, type Manner } from './judged.ts';
import type { Pair } from './sample.ts';

/** What the target was asked and what it answered, in one text: equal texts, equal behaviour. */
function talkOf({ exchanges }: RunRecord): string {
  const lines = exchanges.map(({ request, response, failure }) =>
    JSON.stringify([request.method, request.path, request.credential, request.body?.digest, response, failure?.kind]),
  );
  return lines.join('\n');
}

/** The cases that the fault breaks in the reference service are all among those that the variant leaves open. */
async function isLeftOpen({ fault, choices }: Pair): Promise<boolean> {
  const declared = inconclusiveOf(choices);
  if (declared.length === 0) return false;
  const broken = casesOf((await judged({}, {}, fault)).results).filter(isBroken);
  return broken.every(({ id }) => declared.includes(id));
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
  const alone = await judged(pair.choices, manner);
  const own = brokenIn(alone.results);
  if (caught.length > 0) {
    return caught.every((id) => own.includes(id)) ? `the variant alone is warned of ${caught.join(', ')}` : null;
  }
  if (talkOf(alone.record) === talkOf(faulty.record)) return 'the fault changes nothing that the variant says';
  return (await isLeftOpen(pair)) ? 'the variant leaves open what the fault breaks' : null;
}
