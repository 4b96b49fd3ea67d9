/** The five reads with the good credential (sections 4 and 5). */

import { OPERATIONS, type OperationId } from '../src/contract/operations.ts';
import { type Kit, validAsks } from '../src/engine/kit.ts';
import type { Suite } from '../src/engine/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/engine/sequence.ts';

const SHOWN = ['name', 'direction', 'status'] as const;

/** Members of the trunk record, wherever the target puts the record. */
export function trunkShownIn(json: unknown): Readonly<Partial<Record<(typeof SHOWN)[number], string>>> {
  for (const record of recordsIn(json)) {
    const shown = SHOWN.flatMap((name) => {
      const value = Reflect.get(record, name);
      return typeof value === 'string' ? [[name, value]] : [];
    });
    if (shown.length > 0) return Object.fromEntries(shown);
  }
  return {};
}

function recordsIn(json: unknown): readonly object[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  const inner = ['data', 'trunk', 'result', 'item'].flatMap((name) => recordsIn(Reflect.get(json, name)));
  return [...inner, json];
}

async function read(talk: Talk, kit: Kit, id: OperationId): Promise<void> {
  if (id === 'getTrunk' || id === 'getCarrierProvider') demandNamed(kit, id);
  const answer = await talk.send(kit.control(id));
  if (id === 'getTrunk' && answer.accepted) talk.memory.trunk ??= trunkShownIn(answer.json);
}

function sequenceOf(kit: Kit, id: OperationId): Sequence {
  return {
    name: `${id}/read`,
    operation: id,
    // The trunk is read before anything is written to it.
    lane: id === 'getTrunk' ? 'trunk' : null,
    phase: 'main',
    serves: validAsks({ ...operation(id) }),
    isControl: true,
    run: (talk) => read(talk, kit, id),
  };
}

const operation = (id: OperationId) => OPERATIONS.find((one) => one.id === id) ?? OPERATIONS[0];
const READS = OPERATIONS.filter(({ method }) => method === 'GET').map(({ id }) => id);

/** Reading with the good credential. */
export const READ_SUITE: Suite = {
  name: 'reads',
  sequences: (kit) => READS.map((id) => sequenceOf(kit, id)),
};
