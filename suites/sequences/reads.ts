/** The five reads with the valid credential, and reads of undocumented routes (sections 4 and 5). */

import type { OperationId } from '../../src/contract/operations.ts';
import { type RequestBuilder, UNKNOWN_ROUTE } from '../../src/run/builder.ts';
import { demandNamed, laneOf, type Sequence, type Session, sequence } from '../../src/run/sequence.ts';
import { ask } from '../catalogue.ts';
import { READS } from '../operations.ts';
import { sendValid } from './sending.ts';

async function read(session: Session, id: OperationId): Promise<void> {
  const { state } = session;
  demandNamed(session, id);
  const { exchange, accepted } = await sendValid(session, id);
  const { fields, assignment } = exchange.response?.learned ?? {};
  if (id === 'listNumbers' && assignment !== undefined) state.note({ assignment });
  if ((id !== 'getTrunk' && id !== 'listTrunks') || !accepted || fields === undefined) return;
  // The trunk's own read comes first; the list stands in where it shows nothing.
  if (Object.keys(fields).length === 0 || state.facts.trunk !== undefined) return;
  state.note({ trunk: fields, trunkReadBy: id });
}

/** A list that shows what a run restores is read before anything is written to it. */
const LANES: Readonly<Partial<Record<OperationId, string | null>>> = {
  listNumbers: laneOf('assignNumber'),
  listTrunks: laneOf('updateTrunk'),
};

/** Reading with the valid credential. */
export function reads(builder: RequestBuilder): readonly Sequence[] {
  return READS.map((id) => {
    const lane = LANES[id] ?? laneOf(id);
    return sequence(id, 'read', builder.validAsks(id), (session) => read(session, id), { isControl: true, lane });
  });
}

/** A route for each ending that a path of the interface may have. */
const ROUTES = [UNKNOWN_ROUTE, `${UNKNOWN_ROUTE}/`] as const;

type Route = (typeof ROUTES)[number];

const askFor = (route: Route) => ask('GAP-UNKNOWN-ROUTES', `GET ${route}`);

async function readRoute(session: Session, route: Route): Promise<boolean> {
  const about = 'a route that is not documented';
  const variation = { path: route, asks: [askFor(route)], role: 'unknown-route', about } as const;
  return (await session.send(session.builder.request(null, variation))).accepted;
}

/**
 * Whether a read of an undocumented route with the same ending as the path is accepted. It is read here if the run has
 * not read it yet, because requests must not depend on which lane comes first.
 */
export async function isAnyRouteAccepted(session: Session, path: string): Promise<boolean> {
  const route = ROUTES[path.split('?')[0]?.endsWith('/') ? 1 : 0];
  return session.state.unknownRoutes.get(route) ?? readRoute(session, route);
}

/** Reads of undocumented routes: a response identical to theirs does not come from an operation. */
export const UNKNOWN_ROUTES: readonly Sequence[] = ROUTES.map((route) => ({
  name: `undocumented/unknown route ${route}`,
  operation: 'undocumented',
  lane: null,
  phase: 'main',
  asks: [askFor(route)],
  isControl: true,
  run: async (session) => {
    session.state.unknownRoutes.set(route, await readRoute(session, route));
  },
}));
