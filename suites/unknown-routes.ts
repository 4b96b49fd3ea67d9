/** What a route gets that nobody documented: an answer that is the same is no answer of an operation. */

import type { Sequence, Talk } from '../src/engine/sequence.ts';

import { gapAsk } from './observation.ts';

const ROUTE = '/v1/pcs-conformance-unknown-route';

async function ask(talk: Talk, path: string): Promise<boolean> {
  const asks = [gapAsk('GAP-UNKNOWN-ROUTES', `GET ${path}`)];
  const variation = { path, asks, step: 'unknown route', about: 'a route that nobody documented' };
  const { accepted } = await talk.send({ ...talk.kit.request('listTrunks', variation), operation: null });
  return accepted;
}

/** Whether a read of an unknown route with the same ending as the path is accepted; asked once for each ending. */
export function isAnyRouteAccepted(talk: Talk, path: string): Promise<boolean> {
  const route = path.split('?')[0]?.endsWith('/') ? `${ROUTE}/` : ROUTE;
  const known = talk.memory.unknownRoutes.get(route) ?? ask(talk, route);
  talk.memory.unknownRoutes.set(route, known);
  return known;
}

/** The route without a slash, asked in every run. */
export const UNKNOWN_ROUTE: Sequence = {
  name: 'undocumented/unknown route',
  operation: 'undocumented',
  lane: null,
  phase: 'main',
  serves: [gapAsk('GAP-UNKNOWN-ROUTES', `GET ${ROUTE}`)],
  isControl: true,
  run: async (talk) => {
    await isAnyRouteAccepted(talk, ROUTE);
  },
};
