/** Where a freedom can be seen from outside: what to ask, and what each of its choices then shows. */

import type { Reference } from '../../../../fixtures/service/reference.ts';
import type { OperationId } from '../../../../src/contract/operations.ts';
import { type Asking, call, validBody } from '../caller.ts';

/** Asks a service and gives what came of it in a form that can be compared. */
export type Look = (reference: Reference) => Promise<unknown>;

/** One freedom seen: `look` gives what `shows` has under the name of the choice. */
export interface Sight {
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

/** What several looks show, one after the other. */
export function each(...looks: readonly Look[]): Look {
  return async (reference) => {
    const seen: unknown[] = [];
    for (const look of looks) seen.push(await look(reference));
    return seen;
  };
}

/** What the same look shows when it is repeated. */
export function times(count: number, look: Look): Look {
  return each(...Array.from({ length: count }, () => look));
}
