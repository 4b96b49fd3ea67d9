/** Positive controls: valid requests before and after the broken ones, so that a refusal means something. */

import { Withheld } from '../src/client/stimulus.ts';
import { type OperationId, operationById } from '../src/contract/operations.ts';
import type { JsonValue } from '../src/generate/json.ts';
import { type Kit, validAsks } from '../src/run/kit.ts';
import { demandNamed, type Phase, type Sequence, type Talk } from '../src/run/sequence.ts';
import { candidatesFor } from './bases.ts';

/** Sends candidates until one is accepted and keeps that one as the base of the operation's probes. */
export async function findBase(talk: Talk, id: OperationId, asksOf: (body: JsonValue) => readonly string[] = () => []) {
  const known = talk.memory.bases.get(id);
  const candidates = known === undefined ? candidatesFor(id, talk.kit, talk.memory) : [known];
  for (const [at, json] of candidates.entries()) {
    const step = known === undefined ? `candidate ${at + 1}` : 'control';
    const answer = await talk.send(talk.kit.control(id, { json, step, asks: asksOf(json) }));
    if (answer.accepted) {
      talk.memory.bases.set(id, json);
      return answer;
    }
  }
  return null;
}

/** The accepted body of an operation, or else the first that would be tried; throws `Withheld` where there is none. */
export function baseOf(talk: Talk, id: OperationId): JsonValue {
  const base = talk.memory.bases.get(id) ?? candidatesFor(id, talk.kit, talk.memory)[0];
  if (base !== undefined) return base;
  if (id === 'createCall') {
    throw new Withheld('no numbers to dial are named', 'set PCS_CALL_FROM and PCS_CALL_TO');
  }
  throw new Withheld('no body for the operation can be made', 'set PCS_CARRIER_CONNECTION_ID to one the suite may use');
}

/** A valid request to an operation with a path of the settings, as a sequence of its own. */
export function controlSequence(
  kit: Kit,
  id: OperationId,
  lane: string | null,
  when: string,
  phase: Phase = 'main',
): Sequence {
  const operation = operationById(id);
  return {
    name: `${id}/control ${when}`,
    operation: id,
    lane,
    phase,
    serves: validAsks(operation),
    isControl: true,
    run: async (talk) => {
      demandNamed(kit, id);
      if (operation.body === null) await talk.send(kit.control(id));
      else {
        baseOf(talk, id);
        await findBase(talk, id);
      }
    },
  };
}
