/** Where a recorded request went: the documented operation, below whatever prefix, and the address in front of it. */

import { OPERATIONS, type OperationId } from '../contract/operations.ts';
import { UUID } from '../contract/uuid.ts';
import type { PathIds } from '../exchange/exchange.ts';

/** The operation of a request, and the address of its service: empty where the recording has only the path. */
export interface Place {
  readonly base: string;
  /** Below the base, as it was sent, query included. */
  readonly path: string;
  readonly operation: OperationId;
  readonly ids: PathIds;
}

const ROOT = '/v1/';

const ROUTES = OPERATIONS.map(({ id, method, path }) => {
  const pattern = path
    .split(/\{[^}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { id, method, pattern: new RegExp(`^${pattern}$`) };
});

function idsOf(ids: readonly string[]): PathIds {
  if (ids.length === 0) return 'none';
  return ids.every((id) => UUID.test(id)) ? 'well-formed' : 'malformed';
}

/** The place of a request, or `null` if method and path are none of the interface. */
export function placeOf(method: string, url: string): Place | null {
  const [route = ''] = url.split(/[?#]/, 1);
  const routes = ROUTES.filter((one) => one.method === method);
  for (let at = route.indexOf(ROOT); at >= 0; at = route.indexOf(ROOT, at + 1)) {
    const below = route.slice(at);
    for (const { id, pattern } of routes) {
      const [found, ...ids] = pattern.exec(below) ?? [];
      if (found === undefined) continue;
      // A name and a password in an address are never shown.
      const base = url.slice(0, at).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
      return { base, path: url.slice(at).replace(/#.*$/s, ''), operation: id, ids: idsOf(ids) };
    }
  }
  return null;
}
