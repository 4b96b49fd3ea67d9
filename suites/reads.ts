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

/** What a route gets that nobody documented: an answer that is the same is no answer of an operation. */
const UNKNOWN_ROUTE: Sequence = {
  name: 'undocumented/unknown route',
  operation: 'undocumented',
  lane: null,
  phase: 'main',
  serves: [],
  isControl: true,
  run: async (talk) => {
    const variation = { path: '/v1/pcs-conformance-unknown-route', step: 'unknown route', about: 'an unknown route' };
    await talk.send({ ...talk.kit.request('listTrunks', variation), operation: null });
  },
};

/** Reading with the good credential. */
export const READ_SUITE: Suite = {
  name: 'reads',
  sequences: (kit) => [...READS.map((id) => sequenceOf(kit, id)), UNKNOWN_ROUTE],
};
