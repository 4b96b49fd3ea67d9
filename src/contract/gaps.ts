/** The gap register: everything that the interface leaves open, in the order of its sections (docs/interface.md). */

import { ERROR_GAPS, EVENT_GAPS, LIMIT_GAPS, VERSION_GAPS } from './gaps/bounds.ts';
import type { Gap } from './gaps/gap.ts';
import { CREDENTIAL_GAPS, EXCHANGE_GAPS } from './gaps/operations.ts';
import { FIELD_GAPS, OPERATION_GAPS, STATE_GAPS } from './gaps/resources.ts';

export type { Gap } from './gaps/gap.ts';

/** Every gap, in the order of docs/interface.md. */
export const GAPS: readonly Gap[] = [
  ...OPERATION_GAPS,
  ...FIELD_GAPS,
  ...STATE_GAPS,
  ...EXCHANGE_GAPS,
  ...CREDENTIAL_GAPS,
  ...EVENT_GAPS,
  ...ERROR_GAPS,
  ...LIMIT_GAPS,
  ...VERSION_GAPS,
];

const BY_ID: ReadonlyMap<string, Gap> = new Map(GAPS.map((gap) => [gap.id, gap]));

/** The gap of that id, or `undefined` where the register has none. */
export function gapById(id: string): Gap | undefined {
  return BY_ID.get(id);
}
