/** Ids in the path that name nothing, well-formed or not (a `should` of the model; what they get is not shown). */

import { OPERATIONS, type OperationId, operationById } from '../src/contract/operations.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

/** The lane of the resource that an operation writes, behind everything else that is asked of it. */
const LANES: Readonly<Partial<Record<OperationId, string>>> = {
  updateVoiceApplication: 'voice application',
  setInboundAuth: 'carrier connection',
  updateTrunk: 'trunk',
  assignNumber: 'number',
  hangUpCall: 'call',
  answerCall: 'call',
  muteParticipant: 'conference',
  getTrunk: 'trunk',
};

const KINDS = [
  ['UNKNOWN-ID-REFUSED', 'names nothing'],
  ['MALFORMED-ID-REFUSED', 'is no UUID'],
] as const;

type Kind = (typeof KINDS)[number];

const MALFORMED = 'not-a-uuid';

function bodyFor(talk: Talk, id: OperationId): Variation {
  return operationById(id).body === null ? {} : { json: baseOf(talk, id) };
}

/** The path with one id replaced and the others those of the settings. */
function pathWith(kit: Kit, id: OperationId, at: number, stranger: string): string {
  const { resources } = operationById(id);
  const ids = resources.map((kind, place) => (place === at ? stranger : (kit.named(kind) ?? kit.uuid(kind))));
  return kit.path(id, ids);
}

function strange(kit: Kit, id: OperationId, at: number, [requirement, what]: Kind): Sequence {
  const resource = operationById(id).resources[at] ?? '';
  const ask = `${requirement}#${resource}`;
  return {
    name: `${id}/${resource} id that ${what}`,
    operation: id,
    lane: LANES[id] ?? null,
    phase: 'main',
    serves: [ask],
    run: async (talk) => {
      // A call has no setting of its own: its controls are the calls of the run.
      if (resource !== 'call') demandNamed(kit, id);
      const stranger = requirement === 'UNKNOWN-ID-REFUSED' ? kit.uuid(`unknown ${id} ${resource}`) : MALFORMED;
      const path = pathWith(kit, id, at, stranger);
      const about = `the id of the ${resource} ${what}`;
      await talk.send(kit.request(id, { ...bodyFor(talk, id), path, asks: [ask], step: 'strange id', about }));
      // In a whole run later requests show that the credential is still good; the call lane has its closing control.
      const isPartial = kit.options.only.length > 0 && resource !== 'call';
      if (isPartial) await talk.send(kit.control(id, bodyFor(talk, id)));
    },
  };
}

function strangeIds(kit: Kit, id: OperationId): readonly Sequence[] {
  return operationById(id).resources.flatMap((_, at) => KINDS.map((kind) => strange(kit, id, at, kind)));
}

const ON_CALLS: readonly OperationId[] = ['hangUpCall', 'answerCall'];

/** Calls that nobody placed; asked while the call lane has its closing control still before it. */
export const CALL_ID_SUITE: Suite = {
  name: 'ids of calls',
  sequences: (kit) => ON_CALLS.flatMap((id) => strangeIds(kit, id)),
};

/** Ids of everything else; the read-only profile asks the reads alone. */
export const ID_SUITE: Suite = {
  name: 'ids',
  sequences: (kit) =>
    OPERATIONS.filter(({ id }) => !ON_CALLS.includes(id))
      .filter(({ method }) => kit.options.profile === 'full' || method === 'GET')
      .flatMap(({ id }) => strangeIds(kit, id)),
};
