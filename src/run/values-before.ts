/** What a write finds: the values of before the run, for the journal. */

import type { Place } from '../client/request.ts';
import { isUpdate, type OperationId } from '../contract/operations.ts';
import { CONFIGURED_SECRET, type RunOptions } from './options.ts';
import type { Facts } from './state.ts';

/** What an operation changes, with the values before the run: for the journal, without the secret. */
export function valuesBefore(
  id: OperationId | null,
  { trunk, application, assignment }: Facts,
  { inbound: { secret, ...inbound } }: Pick<RunOptions, 'inbound'>,
): Pick<Place, 'before'> {
  if (!isUpdate(id)) return {};
  const known = Object.entries({ ...inbound, ...(secret === undefined ? {} : { secret: CONFIGURED_SECRET }) });
  const values = {
    updateTrunk: trunk,
    updateVoiceApplication: application,
    setInboundAuth: Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    assignNumber: assignment === undefined ? undefined : { carrier_connection_id: assignment },
  };
  const before = values[id];
  return before === undefined ? {} : { before };
}
