/** Positive controls: valid requests before and after the probes, so that a rejection means something. */

import { type OperationId, operationById } from '../../src/contract/operations.ts';
import { ask, type RequestBuilder } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, sequence } from '../../src/run/sequence.ts';
import { baseOf, findBase } from '../bodies.ts';
import { GAP_EMPTY_UPDATE } from '../observations/updates.ts';
import { tryWithBody } from './calls.ts';
import { readApplication } from './shown.ts';

/** A valid request to an operation with the ids of the settings, as a sequence of its own. */
function control(builder: RequestBuilder, id: OperationId, when: string): Sequence {
  return sequence(
    id,
    `control ${when}`,
    builder.validAsks(id),
    async (session) => {
      demandNamed(session, id);
      if (operationById(id).body === null) {
        await tryWithBody(session, id, await session.send(builder.control(id)));
        return;
      }
      baseOf(session, id);
      await findBase(session, id);
    },
    { isControl: true, ...(when === 'after' ? { reserve: 0 } : {}) },
  );
}

/**
 * No documented operation reads a voice application. A read of its path may be served all the same; otherwise the answer
 * to an empty update may show the fields to restore.
 */
function emptyUpdate(builder: RequestBuilder): Sequence {
  const id = 'updateVoiceApplication';
  return sequence(
    id,
    'empty update',
    [],
    async (session) => {
      demandNamed(session, id);
      const read = await readApplication(session);
      if (read !== null) session.state.note({ application: read, isApplicationRead: true });
      const asks = [ask(GAP_EMPTY_UPDATE, 'an empty object')];
      const about = 'an update that changes nothing';
      await session.send(builder.request(id, { json: {}, about, asks }));
    },
    { isControl: true },
  );
}

const OPENING = ['updateVoiceApplication', 'setInboundAuth', 'updateTrunk', 'muteParticipant', 'assignNumber'] as const;

/** The valid requests that open the lanes of resources. */
export function openingControls(builder: RequestBuilder): readonly Sequence[] {
  return [emptyUpdate(builder), ...OPENING.map((id) => control(builder, id, 'before'))];
}

/** The assignment that closes the bracket around invalid ones. */
export const closingAssignment = (builder: RequestBuilder): Sequence => control(builder, 'assignNumber', 'after');
