/** Positive controls: valid requests before and after the probes, so that a rejection means something. */

import { type OperationId, operationById } from '../../src/contract/operations.ts';
import type { RequestBuilder } from '../../src/run/builder.ts';
import type { Sequence } from '../../src/run/sequence.ts';
import { baseOf, findBase, objectBase } from '../bodies.ts';
import { ask } from '../catalogue.ts';
import { tryWithBody } from './calls.ts';
import { onNamed, sendTo, sendValid } from './sending.ts';
import { readApplication, readAssignment } from './shown.ts';

/** A valid request to an operation with the ids of the settings, as a sequence of its own. */
function control(builder: RequestBuilder, id: OperationId, when: string): Sequence {
  const place = { isControl: true, ...(when === 'after' ? { reserve: 0 } : {}) } as const;
  return onNamed(id, `control ${when}`, { asks: builder.validAsks(id), ...place }, async (session) => {
    if (operationById(id).body === null) {
      await tryWithBody(session, id, await sendValid(session, id));
      return;
    }
    baseOf(session, id);
    await findBase(session, id);
  });
}

/**
 * No documented operation reads a voice application. A read of its path may be served all the same; otherwise the answer
 * to an empty update may show the fields to restore.
 */
function emptyUpdate(): Sequence {
  const id = 'updateVoiceApplication';
  return onNamed(id, 'empty update', { isControl: true }, async (session) => {
    const read = await readApplication(session);
    if (read !== null) session.state.note({ application: read, isApplicationRead: true });
    const asks = [ask('GAP-EMPTY-UPDATE', 'an empty object')];
    const about = 'an update that changes nothing';
    await sendTo(session, id, { json: {}, about, asks });
  });
}

const OPENING = ['updateVoiceApplication', 'setInboundAuth', 'updateTrunk', 'muteParticipant', 'assignNumber'] as const;

/** The valid requests that open the lanes of resources. */
export function openingControls(builder: RequestBuilder): readonly Sequence[] {
  return [emptyUpdate(), ...OPENING.map((id) => control(builder, id, 'before'))];
}

/**
 * The accepted assignment in the other letter case: RFC 9562 has UUIDs compared without regard to it. Nothing is sent where
 * the id of the connection has no letters.
 */
export function otherLetterCase(builder: RequestBuilder): Sequence {
  const id = 'assignNumber';
  const own = builder.named('carrierConnection') ?? '';
  const other = own === own.toUpperCase() ? own.toLowerCase() : own.toUpperCase();
  const asks = [ask('NUMBER-ASSIGN-LETTER-CASE')];
  return onNamed(id, 'the other letter case', { asks }, async (session) => {
    const base = objectBase(session, id);
    if (other === own) return;
    const json = { ...base, carrier_connection_id: other };
    const about = `the id of the connection in ${other === other.toUpperCase() ? 'upper' : 'lower'} case`;
    const answer = await session.probe(builder.request(id, { json, asks, about }), base, 'acceptance');
    // The list has to find the connection by the id as it was written.
    if (answer.accepted) await readAssignment(session);
  });
}

/** The assignment that closes the bracket around invalid ones. */
export const closingAssignment = (builder: RequestBuilder): Sequence => control(builder, 'assignNumber', 'after');
