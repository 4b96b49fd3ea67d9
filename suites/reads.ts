/** The five reads with the good credential (sections 4 and 5). */

import { OPERATIONS, type OperationId, operationById } from '../src/contract/operations.ts';
import { type Kit, MARK, validAsks } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { assignmentIn, shownIn } from './records.ts';
import { UNKNOWN_ROUTES } from './unknown-routes.ts';

const SHOWN = ['name', 'direction', 'status'] as const;

/** Before this run has written anything the trunk has no run's mark, unless another run is at work on it, or was killed. */
function noteForeignMark({ memory }: Talk, kit: Kit): void {
  const name = String(memory.trunk?.['name'] ?? '');
  if (!MARK.test(name)) return;
  memory.changed.push(`trunk ${kit.named('trunk')} is named "${name}": another run is active, or one was killed`);
}

async function read(talk: Talk, kit: Kit, id: OperationId): Promise<void> {
  if (id === 'getTrunk' || id === 'getCarrierProvider') demandNamed(kit, id);
  const answer = await talk.send(kit.control(id));
  if (id === 'listNumbers') talk.memory.assignment = assignmentIn(answer.json, kit.named('number') ?? '');
  if (id !== 'getTrunk' || !answer.accepted || talk.memory.trunk !== null) return;
  talk.memory.trunk = shownIn(answer.json, SHOWN);
  noteForeignMark(talk, kit);
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
  sequences: (kit) => [...READS.map((id) => sequenceOf(kit, id)), ...UNKNOWN_ROUTES],
};
