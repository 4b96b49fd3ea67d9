/** Another organization's credential: it neither reads, lists, changes nor controls (section 5). */

import { type Stimulus, Withheld } from '../src/client/stimulus.ts';
import { type OperationId, operationById } from '../src/contract/operations.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence, type Talk } from '../src/run/sequence.ts';
import { baseOf } from './controls.ts';

/** What is asked with that credential. */
export const FOREIGN_ASK = 'ORG-ISOLATION';
const credential = 'other-organization';

/** The lists, which show that the credential is alive: whoever is refused with it elsewhere leans on them. */
const ALIVE = 'other organization';

/** Lanes of the resources, so that a foreign change never runs beside our own. */
const TARGETS = [
  ['listNumbers', ALIVE],
  ['listTrunks', ALIVE],
  ['getTrunk', 'trunk'],
  ['updateTrunk', 'trunk'],
  ['updateVoiceApplication', 'voice application'],
  ['setInboundAuth', 'carrier connection'],
  ['assignNumber', 'number'],
  ['muteParticipant', 'conference'],
] as const satisfies readonly (readonly [OperationId, string])[];

function foreign(kit: Kit, id: OperationId, lane: string): Sequence {
  return {
    name: `${id}/other organization`,
    operation: id,
    lane,
    ...(lane === ALIVE ? { isControl: true } : { leansOn: ALIVE }),
    phase: 'main',
    serves: [FOREIGN_ASK],
    run: async (talk) => {
      demandNamed(kit, id);
      const body: Variation = operationById(id).body === null ? {} : { json: baseOf(talk, id) };
      await talk.send(kit.request(id, { ...body, credential, asks: [FOREIGN_ASK], step: 'foreign', about: FOREIGN }));
    },
  };
}

const FOREIGN = 'the credential of another organization';

/** What the other organization sends to control a call. */
export function foreignControl(kit: Kit, id: 'answerCall' | 'hangUpCall', call: string): Stimulus {
  const path = kit.path(id, [call]);
  return kit.request(id, { path, credential, asks: [FOREIGN_ASK], step: 'foreign', about: FOREIGN });
}

/** A foreign answer to our call, before our own; without a ringing call the call of this run is tried. */
function foreignAction(kit: Kit, id: 'answerCall' | 'hangUpCall'): Sequence {
  return {
    name: `${id}/other organization`,
    operation: id,
    lane: 'call',
    leansOn: ALIVE,
    phase: 'main',
    serves: [FOREIGN_ASK],
    run: async (talk) => {
      await talk.send(foreignControl(kit, id, callFor(talk, kit, id)));
    },
  };
}

function callFor(talk: Talk, kit: Kit, id: OperationId): string {
  const ringing = id === 'answerCall' ? kit.options.ringingCallId : undefined;
  const call = ringing ?? talk.openCall();
  if (call === null) throw new Withheld('no call was placed that could be controlled', 'see createCall');
  return call;
}

/** Foreign access to calls, for a place in the plan where a call of ours is open and another is ringing. */
export function foreignCalls(kit: Kit): readonly Sequence[] {
  return hasOther(kit) ? [foreignAction(kit, 'answerCall'), foreignAction(kit, 'hangUpCall')] : [];
}

/** Whether there is a credential of another organization, and the profile may write with it. */
export const hasOther = (kit: Kit): boolean =>
  kit.options.credentials.otherOrganization !== undefined && kit.options.profile === 'full';

/** Foreign access to everything else. */
export const ORGANIZATION_SUITE: Suite = {
  name: 'organizations',
  sequences: (kit) => {
    if (kit.options.credentials.otherOrganization === undefined) return [];
    return TARGETS.filter(([id]) => hasOther(kit) || operationById(id).method === 'GET').map(([id, lane]) =>
      foreign(kit, id, lane),
    );
  },
};
