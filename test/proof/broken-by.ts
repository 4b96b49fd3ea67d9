/** What a run says of a planted fault: the one place that knows it. */

import type { Fault } from '../../fixtures/faults/index.ts';
import { REQUIREMENTS } from '../../suites/catalogue.ts';

/** The requirements that a run against a service with this fault names: these and no others. */
export function brokenBy({ breaks }: Fault): readonly string[] {
  return breaks;
}

/** Only an id that is known to name nothing tells an answer without a record from a trunk without its state. */
const OF_UNKNOWN_IDS: readonly string[] = ['UNKNOWN-ID-REFUSED', 'MALFORMED-ID-REFUSED'];

/** The requirements that recorded traffic of such a service may show as broken, where nobody knows what was asked. */
export function mayBeShown(fault: Fault): readonly string[] {
  const broken = brokenBy(fault);
  const explained = REQUIREMENTS.filter(({ explainedBy = [] }) => explainedBy.some((id) => broken.includes(id)));
  const ofIds = broken.some((id) => OF_UNKNOWN_IDS.includes(id)) ? ['TRUNK-SHOWS-STATE'] : [];
  // Each change without a credential that was accepted counts by itself.
  const taken = broken.includes('AUTH-APPLICATION-UNCHANGED') ? ['AUTH-CREDENTIAL-REQUIRED'] : [];
  return [...broken, ...explained.map(({ id }) => id), ...ofIds, ...taken];
}
