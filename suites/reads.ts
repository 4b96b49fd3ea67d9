/** The five reads with the good credential (sections 4 and 5). */

import { OPERATIONS, type OperationId, operationById } from '../src/contract/operations.ts';
import { type Kit, validAsks } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/engine/sequence.ts';
import { shownIn } from './records.ts';

const SHOWN = ['name', 'direction', 'status'] as const;

async function read(talk: Talk, kit: Kit, id: OperationId): Promise<void> {
  if (id === 'getTrunk' || id === 'getCarrierProvider') demandNamed(kit, id);
  const answer = await talk.send(kit.control(id));
  if (id === 'getTrunk' && answer.accepted) talk.memory.trunk ??= shownIn(answer.json, SHOWN);
}

function sequenceOf(kit: Kit, id: OperationId): Sequence {
  return {
    name: `${id}/read`,
    operation: id,
    // The trunk is read before anything is written to it.
    lane: id === 'getTrunk' ? 'trunk' : null,
    phase: 'main',
    serves: validAsks(operationById(id)),
    isControl: true,
    run: (talk) => read(talk, kit, id),
  };
}

const READS = OPERATIONS.filter(({ method }) => method === 'GET').map(({ id }) => id);

/** Reading with the good credential. */
export const READ_SUITE: Suite = {
  name: 'reads',
  sequences: (kit) => READS.map((id) => sequenceOf(kit, id)),
};
