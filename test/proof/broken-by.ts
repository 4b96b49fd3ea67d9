/** What a run says of a planted fault: the one place that knows it. */

import { expect } from 'vitest';
import type { Fault } from '../../fixtures/faults/index.ts';
import type { Results } from '../../src/verdict/results.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';
import { brokenIn, casesOf, isBroken } from '../selftest/judged.ts';

/** What follows from a failure of these requirements, with themselves: all that name one of them in `explainedBy`. */
function consequencesOf(broken: readonly string[]): readonly string[] {
  const more = REQUIREMENTS.filter(
    ({ id, explainedBy = [] }) => !broken.includes(id) && explainedBy.some((one) => broken.includes(one)),
  );
  return more.length === 0 ? broken : consequencesOf([...broken, ...more.map(({ id }) => id)]);
}

/** All that a run against a service with this fault may name. */
const brokenBy = ({ breaks }: Pick<Fault, 'breaks'>): readonly string[] => consequencesOf(breaks);

/** Expects a run to name all that the fault breaks, and nothing but what follows from it. */
export function expectNamed(results: Results, fault: Pick<Fault, 'breaks'> | undefined): void {
  if (fault === undefined) throw new Error('there is no such fault');
  const named = brokenIn(results);
  expect(fault.breaks.filter((id) => !named.includes(id))).toEqual([]);
  expect(named.filter((id) => !brokenBy(fault).includes(id))).toEqual([]);
}

/** Expects that of the first requirement no other case fails than the one that the fault is made for. */
export function expectAlone(results: Results, { breaks: [first], alone }: Pick<Fault, 'breaks' | 'alone'>): void {
  const failed = casesOf(results).filter((one) => isBroken(one) && one.id.startsWith(`${first}/`));
  expect(failed.map(({ id }) => id)).toEqual([alone]);
}

/** Only an id that is known to name nothing tells an answer without a record from a trunk without its state. */
const OF_UNKNOWN_IDS: readonly string[] = ['UNKNOWN-ID-REFUSED', 'MALFORMED-ID-REFUSED'];

/** The requirements that recorded traffic of such a service may show as broken, where nobody knows what was asked. */
export function mayBeShown(fault: Fault): readonly string[] {
  const broken = brokenBy(fault);
  const ofIds = broken.some((id) => OF_UNKNOWN_IDS.includes(id)) ? ['TRUNK-SHOWS-STATE'] : [];
  // Each change without a credential that was accepted counts by itself.
  const taken = broken.includes('AUTH-APPLICATION-UNCHANGED') ? ['AUTH-CREDENTIAL-REQUIRED'] : [];
  // An open alias such as `/v1/trunks/{id};a.js` is a path of the operation to a reader of the recording.
  const opened = broken.includes('AUTH-ALIAS') ? ['AUTH-CREDENTIAL-REQUIRED'] : [];
  return [...broken, ...ofIds, ...taken, ...opened];
}
