/** The valid request with the id of one resource replaced, for each requirement about ids. */

import { OPERATION_IDS, type OperationId, operationById } from '../../src/contract/operations.ts';
import type { RequestBuilder, Variation } from '../../src/run/builder.ts';
import { ask } from '../../src/run/builder.ts';
import { demandNamed, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { baseOf } from '../bodies.ts';
import { IDS_ADVICE } from '../ids.ts';
import { isOneOf, READS, WITH_ID } from '../operations.ts';

/** The path with one id replaced; the others are those of the settings. */
function pathWith(builder: RequestBuilder, id: OperationId, at: number, stranger: string): string {
  const { resources } = operationById(id);
  const ids = resources.map((kind, place) => (place === at ? stranger : (builder.named(kind) ?? builder.uuid(kind))));
  return builder.path(id, ids);
}

function bodyFor(session: Session, id: OperationId): Variation {
  return operationById(id).body === null ? {} : { json: baseOf(session, id) };
}

function strange(id: OperationId, at: number, requirement: (typeof IDS_ADVICE)[number]): Sequence {
  const resource = operationById(id).resources[at] ?? '';
  const { about: what, idOf } = requirement.send.ids;
  const asks = [ask(requirement, resource)];
  return sequence(id, `${resource} id that ${what}`, asks, async (session) => {
    const { builder } = session;
    // A call has no setting of its own: its controls are the calls of the run.
    if (resource !== 'call') demandNamed(session, id);
    const path = pathWith(builder, id, at, idOf(builder, id, resource));
    const about = `the id of the ${resource} ${what}`;
    await session.send(builder.request(id, { ...bodyFor(session, id), path, asks, about }));
    // In a whole run, later requests show that the credential is still valid; the call lane has its closing control.
    const isPartial = builder.options.only.length > 0 && resource !== 'call';
    if (isPartial) await session.send(builder.control(id, bodyFor(session, id)));
  });
}

const ofOperation = (id: OperationId): readonly Sequence[] =>
  operationById(id).resources.flatMap((_, at) => IDS_ADVICE.map((requirement) => strange(id, at, requirement)));

const ON_CALLS: readonly OperationId[] = ['hangUpCall', 'answerCall'];

/** Calls that do not exist, tried before the closing control of the call lane. */
export const callIds = (): readonly Sequence[] => ON_CALLS.flatMap(ofOperation);

/** Ids of everything else; the read-only profile sends only the reads. */
export function otherIds({ options }: RequestBuilder): readonly Sequence[] {
  const ids = OPERATION_IDS.filter((id) => isOneOf(WITH_ID, id) && !ON_CALLS.includes(id));
  return ids.filter((id) => options.profile === 'full' || isOneOf(READS, id)).flatMap(ofOperation);
}
