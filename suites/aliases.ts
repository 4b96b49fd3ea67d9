/** The other slash form of each path: where it is served, it needs the credential too (section 5). */

import { OPERATIONS, type OperationId, operationById, otherSlashForm } from '../src/contract/operations.ts';
import type { Kit, Variation } from '../src/run/kit.ts';
import type { Suite } from '../src/run/plan.ts';
import type { Sequence, Talk } from '../src/run/sequence.ts';
import { validRequest } from './credentials.ts';
import { isAnyRouteAccepted } from './unknown-routes.ts';

/** A request that the target understands and that does nothing new; for create call one that it refuses. */
function harmless(talk: Talk, id: OperationId): Variation {
  return id === 'createCall' ? { json: { variables: {} } } : validRequest(talk, id);
}

/** The batch of bad credentials has asked the documented path already; create call is asked with the same bad body. */
async function statusesAtDocumentedPath(talk: Talk, id: OperationId, request: Variation): Promise<ReadonlySet<number>> {
  const known = talk.memory.refusals.get(id)?.good;
  if (known !== undefined && known.size > 0 && id !== 'createCall') return known;
  const documented = await talk.send(talk.kit.request(id, { ...request, step: 'documented path' }));
  return new Set(documented.status === null ? [] : [documented.status]);
}

/** The path, with its query, in its other slash form. */
export function otherForm(path: string): string {
  const [route = '', query] = path.split('?');
  return otherSlashForm(route) + (query === undefined ? '' : `?${query}`);
}

const NOT_SERVED: readonly number[] = [404, 405];
const NONE = ['none'] as const;
const NONE_OR_WRONG = ['none', 'wrong-secret'] as const;

function alias(kit: Kit, id: OperationId): Sequence {
  return {
    name: `${id}/other slash form`,
    operation: id,
    lane: `credentials ${id}`,
    phase: 'credentials',
    serves: [],
    // Asked only where the target serves that form at all.
    maySettle: ['AUTH-ALIAS'],
    run: async (talk) => {
      const request = harmless(talk, id);
      const path = otherForm(request.path ?? kit.path(id));
      const known = await statusesAtDocumentedPath(talk, id, request);
      // A target that accepts any route says nothing by accepting this one, and a create call there might dial.
      if (await isAnyRouteAccepted(talk, path)) return;
      const good = await talk.send(kit.request(id, { ...request, path, step: 'good credential' }));
      // 404 and 405 are what a route gets that is not served, whatever the documented path gives.
      if (good.status === null || NOT_SERVED.includes(good.status) || !known.has(good.status)) return;
      // A second create call that may be accepted would say no more than the first.
      for (const credential of id === 'createCall' ? NONE : NONE_OR_WRONG) {
        const asks = [`AUTH-ALIAS#${credential}`];
        const valid = { ...validRequest(talk, id), path, credential, asks };
        const about = 'the other slash form of the path with a bad credential';
        const answer = await talk.send(kit.request(id, { ...valid, step: `bad credential ${credential}`, about }));
        if (answer.status === good.status) talk.memory.openAliases.add(id);
        if (answer.accepted && id === 'createCall') await talk.hangUp();
      }
    },
  };
}

const isRead = (id: OperationId): boolean => operationById(id).method === 'GET';

/** Aliases of the paths; the read-only profile looks at the reads alone. */
export const ALIAS_SUITE: Suite = {
  name: 'aliases',
  sequences: (kit) =>
    OPERATIONS.filter(({ id }) => kit.options.profile === 'full' || isRead(id)).map(({ id }) => alias(kit, id)),
};
