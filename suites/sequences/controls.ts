/**
 * Positive controls: valid requests before and after the probes, so that a rejection means something; and reads of
 * undocumented routes (sections 4 and 5).
 */

import type { Answer, SuiteRequest } from '../../src/client/request.ts';
import { type OperationId, operationById, otherSlashForm } from '../../src/contract/operations.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { type RequestBuilder, UNKNOWN_ROUTE } from '../../src/run/builder.ts';
import { demandNamed, laneOf, type Sequence, type Session } from '../../src/run/sequence.ts';
import { isAccepted, isAsUnknown, isWebPage } from '../../src/verdict/answer.ts';
import { ask } from '../ask.ts';
import { baseOf, findBase } from '../bodies.ts';
import { READS } from '../operations.ts';
import { independent, onNamed, sendTo, sendValid, tryWithBody } from './sending.ts';

/** A valid request to an operation with the ids of the settings, as a separate sequence. */
function control(builder: RequestBuilder, id: OperationId, when: string): Sequence {
  return onNamed(id, `control ${when}`, { asks: builder.validAsks(id), isControl: true }, async (session) => {
    if (operationById(id).body === null) {
      await tryWithBody(session, id, await sendValid(session, id));
      return;
    }
    baseOf(session, id);
    await findBase(session, id);
  });
}

/** The first update of a voice application: if no read shows it, the answer may show the fields to restore. */
function emptyUpdate(): Sequence {
  const id = 'updateVoiceApplication';
  return onNamed(id, 'empty update', { isControl: true }, async (session) => {
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

/** The assignment that closes the bracket around invalid ones. */
export const closingAssignment = (builder: RequestBuilder): Sequence => control(builder, 'assignNumber', 'after');

/** A list that shows what a run restores is read before anything is written to it. */
const LANES: Readonly<Partial<Record<OperationId, string | null>>> = {
  listNumbers: laneOf('assignNumber'),
  listTrunks: laneOf('updateTrunk'),
};

/** Reading with the valid credential. */
export function reads(builder: RequestBuilder): readonly Sequence[] {
  return READS.map((id) => {
    const lane = LANES[id] ?? laneOf(id);
    const request = (session: Session): SuiteRequest => {
      demandNamed(session, id);
      return session.builder.control(id);
    };
    // If its case runs alone, it is judged by this: the rerun of a list without its slash was inconclusive.
    const note = async (session: Session, { status, exchange }: Answer): Promise<void> => {
      if (status !== 404) return;
      const path = otherSlashForm(exchange.request.path);
      await sendTo(session, id, { path, role: 'compared', about: 'the other slash form of a path that is not found' });
    };
    return independent(id, 'read', { asks: builder.validAsks(id), isControl: true, lane }, { request, note });
  });
}

/** A route for each ending that a path of the interface may have. */
const ROUTES = [UNKNOWN_ROUTE, `${UNKNOWN_ROUTE}/`] as const;

type Route = (typeof ROUTES)[number];

const askFor = (route: Route) => ask('GAP-UNKNOWN-ROUTES', `GET ${route}`);

function readOf(route: Route, { builder }: Session): SuiteRequest {
  const about = 'a route that is not documented';
  return builder.request(null, { path: route, asks: [askFor(route)], role: 'unknown-route', about });
}

/** The read of an undocumented route with the same ending, sent once; requests must not depend on the lanes. */
async function unknownRoute(session: Session, path: string): Promise<Exchange> {
  const route = ROUTES[path.split('?')[0]?.endsWith('/') ? 1 : 0];
  return session.state.unknownRoutes.get(route) ?? (await session.send(readOf(route, session))).exchange;
}

/** Whether an undocumented route with the path's ending is accepted, and not with the page of a web site. */
export async function isAnyRouteAccepted(session: Session, path: string): Promise<boolean> {
  const unknown = await unknownRoute(session, path);
  return isAccepted(unknown) && !isWebPage(unknown);
}

/** Whether such a read is accepted like this answer: a web site gives a page for unknown paths, but no list. */
export async function isAcceptedAsAny(session: Session, { exchange }: Answer): Promise<boolean> {
  const unknown = await unknownRoute(session, exchange.request.path);
  return isAccepted(unknown) && (!isAccepted(exchange) || isAsUnknown(exchange, unknown));
}

/** Reads of undocumented routes: a response identical to theirs does not come from an operation. */
export const UNKNOWN_ROUTES: readonly Sequence[] = ROUTES.map((route) => {
  const name = `undocumented/unknown route ${route}`;
  const place = { name, lane: null, phase: 'main', asks: [askFor(route)], isControl: true } as const;
  const reading = independent('listTrunks', name, place, {
    request: (session) => readOf(route, session),
    note: ({ state }, { exchange }) => void state.unknownRoutes.set(route, exchange),
  });
  return { ...reading, operation: 'undocumented' };
});
