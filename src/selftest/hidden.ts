/** When a fault and a lawful variant are not a pair: the variant may lawfully do what hides the fault. */

import type { Fault } from '../../fixtures/faults/index.ts';
import { requirementById } from '../../suites/catalogue.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { brokenIn, casesOf, isBroken, type Judged, judged, type Manner } from './judged.ts';
import type { Pair } from './sample.ts';

const KNOWN = new Map<Fault, Promise<readonly string[]>>();

/** Ids of the cases that the fault breaks in the reference service; judged once. */
function brokenInReference(fault: Fault): Promise<readonly string[]> {
  const known =
    KNOWN.get(fault) ??
    judged({}, {}, fault).then(({ results }) =>
      casesOf(results)
        .filter(isBroken)
        .map(({ id }) => id),
    );
  KNOWN.set(fault, known);
  return known;
}

/** The cases of these results that are inconclusive or not exercised. */
function openIn({ results }: Judged, ...verdicts: readonly Verdict[]): ReadonlySet<string> {
  return new Set(casesOf(results).flatMap(({ id, verdict }) => (verdicts.includes(verdict) ? [id] : [])));
}

/** Whether the fault shows in requests for what it breaks; every request tests an invariant. */
function isAsked({ breaks }: Fault, { record, shown }: Judged): boolean {
  const [first] = breaks;
  if (requirementById(first)?.invariant === true) return shown.length > 0;
  // In this process requests reach the service in the order in which they are numbered.
  const seen = record.exchanges.filter(({ seq }) => shown.includes(seq));
  return seen.some(({ tag }) => tag.asks.some(({ id }) => id === first));
}

/** The runs of a pair, and how they were carried out: the variant with the fault, and without it. */
export interface PairRuns {
  readonly faulty: Judged;
  readonly alone: Judged;
  readonly manner: Manner;
}

/** Why the fault cannot be seen in the variant, or `null` if it can. */
export async function whyHidden({ fault, choices }: Pair, { faulty, alone, manner }: PairRuns): Promise<string | null> {
  const own = brokenIn(alone.results);
  if (fault.breaks.every((id) => own.includes(id))) return 'the variant alone is warned of what the fault breaks';
  const broken = await brokenInReference(fault);
  // Declared open (which the proof of the variant checks), or no response of the variant concerns them.
  const open = openIn(alone, 'inconclusive', 'not-exercised');
  if (broken.every((id) => open.has(id))) return 'the variant leaves open what the fault breaks';
  // The fault gets the very answer that the variant gives for another reason: then the run says that it cannot judge,
  // and is not conformant.
  const undecided = openIn(faulty, 'inconclusive', 'not-exercised');
  const isSaid = faulty.results.verdict === 'incomplete' && broken.every((id) => undecided.has(id));
  if (isSaid) return 'the suite says that it cannot judge what the fault breaks';
  const again = await judged(choices, { ...manner, socket: false, twice: true }, fault);
  return isAsked(fault, again)
    ? null
    : 'the fault shows only in requests for other requirements, or where the variant rejects anyway';
}
