/** What a route gets that nobody documented: an answer that is the same is no answer of an operation. */

import type { Sequence, Talk } from '../src/run/sequence.ts';
import { gapAsk } from './observation.ts';

/** A route for each ending that a path of the interface may have. */
const ROUTES = ['/v1/pcs-conformance-unknown-route', '/v1/pcs-conformance-unknown-route/'] as const;

type Route = (typeof ROUTES)[number];

const gapOf = (route: Route): string => gapAsk('GAP-UNKNOWN-ROUTES', `GET ${route}`);

async function ask(talk: Talk, path: Route): Promise<boolean> {
  const variation = { path, asks: [gapOf(path)], step: 'unknown route', about: 'a route that nobody documented' };
  const { accepted } = await talk.send({ ...talk.kit.request('listTrunks', variation), operation: null });
  return accepted;
}

/**
 * Whether a read of an unknown route with the same ending as the path is accepted. Where the run has not asked it, it is
 * asked here: whoever comes first must not matter for what is sent.
 */
export async function isAnyRouteAccepted(talk: Talk, path: string): Promise<boolean> {
  const route = ROUTES[path.split('?')[0]?.endsWith('/') ? 1 : 0];
  return talk.memory.unknownRoutes.get(route) ?? ask(talk, route);
}

/** The routes, asked in every whole run. */
export const UNKNOWN_ROUTES: readonly Sequence[] = ROUTES.map((route) => ({
  name: `undocumented/unknown route ${route}`,
  operation: 'undocumented',
  lane: null,
  phase: 'main',
  serves: [gapOf(route)],
  isControl: true,
  run: async (talk) => {
    talk.memory.unknownRoutes.set(route, await ask(talk, route));
  },
}));
