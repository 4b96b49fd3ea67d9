/** Where a recorded request went: the documented operation, below whatever prefix, and the address in front of it. */

import { type FoundOperation, operationOf } from '../client/request-path.ts';

/** The operation of a request, and the address of its service: empty where the recording has only the path. */
export interface Place extends FoundOperation {
  readonly base: string;
  /** Below the base, as it was sent, query included. */
  readonly path: string;
}

const ROOT = '/v1/';

/** The place of a request, in either slash form, or `null` if method and path are none of the interface. */
export function placeOf(method: string, url: string): Place | null {
  const [route = ''] = url.split(/[?#]/, 1);
  for (let at = route.indexOf(ROOT); at >= 0; at = route.indexOf(ROOT, at + 1)) {
    const found = operationOf(method, route.slice(at));
    if (found === null) continue;
    // A name and a password in an address are never shown.
    const base = url.slice(0, at).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
    return { ...found, base, path: url.slice(at).replace(/#.*$/s, '') };
  }
  return null;
}
