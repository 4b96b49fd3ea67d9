/** The visible effects of a variation point: what to send, and the result for each of its choices. */

import type { Reference } from '../../../../fixtures/service/reference.ts';
import type { OperationId } from '../../../../src/contract/operations.ts';
import { type Asking, call, validBody } from '../caller.ts';

/** Calls a service and returns the result in a comparable form. */
export type Look = (reference: Reference) => Promise<unknown>;

/** The effects of one variation point: `look` returns the value of `shows` for the choice. */
export interface Effect {
  readonly look: Look;
  readonly shows: Readonly<Record<string, unknown>>;
}

/** The status of an operation's request. */
export function status(id: OperationId, asking: Asking = {}): Look {
  return async (reference) => (await call(reference, id, asking)).status;
}

/** The status of a create call with these members besides `from` and `to`. */
export function creating(members: Readonly<Record<string, unknown>>): Look {
  return (reference) =>
    status('createCall', { body: { ...validBody(reference, 'createCall'), ...members } })(reference);
}

/** The results of several looks, one after the other. */
export function each(...looks: readonly Look[]): Look {
  return async (reference) => {
    const seen: unknown[] = [];
    for (const look of looks) seen.push(await look(reference));
    return seen;
  };
}

/** The results of the same look, repeated. */
export function times(count: number, look: Look): Look {
  return each(...Array.from({ length: count }, () => look));
}
