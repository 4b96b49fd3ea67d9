/** Every fault of create call in lenient services: what they accept leaves none of its questions unasked. */

import { expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import { DEVIATION_POINTS } from '../../fixtures/variants/variation-points.ts';
import { brokenInReference, provePair } from '../selftest/prove.ts';
import type { Choices } from '../selftest/sample.ts';

const ANY_ID: Choices = { 'call-references': 'any', 'foreign-from': 'taken' };
const EVERY_DEVIATION: Choices = Object.fromEntries(
  DEVIATION_POINTS.map(({ name, choices }) => [name, choices[1]?.name ?? name]),
);

/** One that looks up no id of a call and tolerates every deviation, and one for each of the two. */
const LENIENT = {
  'does both': { ...ANY_ID, ...EVERY_DEVIATION },
  'takes any trunk and any application': ANY_ID,
  'tolerates every deviation': EVERY_DEVIATION,
} as const satisfies Readonly<Record<string, Choices>>;

/** Why a fault of create call cannot show in a lenient service: never because calls were spent. */
const REASONS: readonly string[] = [
  'the fault never showed: the variant has nothing that triggers it',
  'the variant alone is warned of what the fault breaks',
  'the fault shows only in requests for other requirements, or where the variant rejects anyway',
];

/** A target that takes any id gives no access by taking one of ours. */
const isMoot = ({ breaks }: Fault, why: string): boolean =>
  breaks.every((id) => id === 'ORG-CALL') && why === 'the variant leaves open what the fault breaks';

const isOfCreateCall = async (fault: Fault): Promise<boolean> =>
  (await brokenInReference(fault)).some((id) => id.endsWith('/createCall'));

test.each(Object.entries(LENIENT))('a service that %s hides no fault of create call', async (_, choices) => {
  const missed: unknown[] = [];
  let caught = 0;
  for (const fault of FAULTS) {
    if (!(await isOfCreateCall(fault))) continue;
    const proof = await provePair({ fault, choices });
    if (proof.kind === 'holds') caught += 1;
    else if (proof.kind === 'broken' || !(REASONS.includes(proof.why) || isMoot(fault, proof.why)))
      missed.push({ fault: fault.name, proof });
  }
  expect(missed).toEqual([]);
  expect(caught).toBeGreaterThanOrEqual(100);
});
