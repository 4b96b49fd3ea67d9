/** How an observation is made: a request whose answer is noted as a choice and judged by the invariants alone. */

import { Withheld } from '../src/client/stimulus.ts';
import type { OperationId } from '../src/contract/operations.ts';
import { isObject, type JsonObject } from '../src/generate/json.ts';
import { demandNamed, type Phase, type Sequence, type Talk } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

/** A word that no list of accepted values holds. */
export const UNKNOWN_WORD = 'pcs-conformance';

/** A member that no body of the interface has. */
export const UNKNOWN_MEMBER = 'pcs_conformance_note';

/** What a gap asks and what is particular about the request: the tag `GAP-…#label`. */
export function gapAsk(gap: string, label: string): string {
  return `${gap}#${label}`;
}

/** An observation as a sequence of the plan. */
export function observation(
  operation: Sequence['operation'],
  label: string,
  asks: readonly string[],
  place: { readonly lane: string | null; readonly phase?: Phase },
  run: (talk: Talk) => Promise<void>,
): Sequence {
  const { lane, phase = 'main' } = place;
  return { name: `${operation}/observed: ${label}`, operation, lane, phase, serves: asks, run };
}

/** The accepted body of an operation on a resource of the settings; without one a refusal would say nothing. */
export function acceptedBase(talk: Talk, id: OperationId): JsonObject {
  demandNamed(talk.kit, id);
  const base = baseOf(talk, id);
  if (!talk.memory.bases.has(id) || !isObject(base)) {
    throw new Withheld('no plain request of this kind was accepted', `see ${id}`);
  }
  return base;
}
