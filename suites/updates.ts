/** Updates, the number assignment and the mute of a participant, valid and invalid (sections 2 and 4). */

import { BODY_SCHEMAS } from '../src/contract/schemas.ts';
import { breaches } from '../src/generate/breach.ts';
import { malformations } from '../src/generate/malformed.ts';
import type { Kit } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import { demandNamed, type Sequence } from '../src/run/sequence.ts';
import { baseOf, controlSequence } from './controls.ts';
import { shownIn } from './records.ts';

const ASSIGN = 'assignNumber';

/** One broken assignment: the label, and the bytes made from the accepted body. */
interface Broken {
  readonly label: string;
  readonly bytesOf: (base: unknown) => Uint8Array | null | undefined;
}

const encoder = new TextEncoder();

function brokenAssignments(kit: Kit): readonly Broken[] {
  const schema = BODY_SCHEMAS['number-assignment'];
  const connection = kit.named('carrierConnection');
  // Without one in the settings nothing is sent, but the plan names the cases all the same.
  const id = connection ?? kit.uuid('connection');
  // A careless target looks into a list of one.
  const wrong = { '': { array: [[{ carrier_connection_id: id }]] } };
  const structural = breaches(schema, { pool: { '/carrier_connection_id': [id] }, wrong }).map(
    (breach): Broken => ({
      label: breach.label,
      bytesOf: (base) => {
        const value = breach.apply(base as never);
        return value === undefined ? undefined : encoder.encode(JSON.stringify(value));
      },
    }),
  );
  const kinds = ['no-body', 'empty', 'cut-short', 'trailing-comma'];
  const sample = JSON.stringify({ carrier_connection_id: connection ?? kit.uuid('connection') });
  const syntactic = malformations(sample, ['carrier_connection_id'])
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ label, bytes }): Broken => ({ label, bytesOf: () => bytes }));
  return [...structural, ...syntactic];
}

function invalidAssignment(kit: Kit, broken: Broken): Sequence {
  const ask = `NUMBER-ASSIGN-INVALID#${broken.label}`;
  return {
    name: `${ASSIGN}/invalid: ${broken.label}`,
    operation: ASSIGN,
    lane: 'number',
    phase: 'main',
    serves: [ask],
    run: async (talk) => {
      demandNamed(kit, ASSIGN);
      const body = broken.bytesOf(baseOf(talk, ASSIGN));
      if (body === undefined) return;
      const contentType = 'application/json';
      await talk.send(kit.request(ASSIGN, { body, contentType, asks: [ask], step: 'invalid', about: broken.label }));
    },
  };
}

const SHOWN = ['name', 'ring_timeout_seconds', 'caller_id', 'voice_url', 'callback_url'] as const;

/** No operation reads a voice application, but the answer to an empty update may show it: what is there is put back. */
function emptyUpdate(kit: Kit): Sequence {
  const id = 'updateVoiceApplication';
  return {
    name: `${id}/empty update`,
    operation: id,
    lane: 'voice application',
    phase: 'main',
    serves: [],
    isControl: true,
    run: async (talk) => {
      demandNamed(kit, id);
      const about = 'an update that changes nothing';
      const answer = await talk.send(kit.request(id, { json: {}, step: 'empty update', about, asks: EMPTY_GAP }));
      if (answer.accepted) talk.memory.application = shownIn(answer.json, SHOWN);
    },
  };
}

const EMPTY_GAP = ['GAP-EMPTY-UPDATE#an empty object'];

/** Writes whose acceptance is enough, and the assignment with its refusals between two accepted ones. */
export const UPDATE_SUITE: Suite = {
  name: 'updates',
  sequences: (kit) => [
    emptyUpdate(kit),
    controlSequence(kit, 'updateVoiceApplication', 'voice application', 'before'),
    controlSequence(kit, 'setInboundAuth', 'carrier connection', 'before'),
    controlSequence(kit, 'updateTrunk', 'trunk', 'before'),
    controlSequence(kit, 'muteParticipant', 'conference', 'before'),
    controlSequence(kit, ASSIGN, 'number', 'before'),
    ...brokenAssignments(kit).map((broken) => invalidAssignment(kit, broken)),
    controlSequence(kit, ASSIGN, 'number', 'after'),
  ],
};
