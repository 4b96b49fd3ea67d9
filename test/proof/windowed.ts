/** A limit on requests as gateways keep it: so many in a window of time, and 429 with Retry-After for the rest of it. */

import type { Service } from '../../fixtures/service/types.ts';
import { enveloped } from '../e2e/live.ts';

/** Requests with the good or a bad credential that a window takes; `window` is in milliseconds. */
export interface Limit {
  readonly writes: number;
  readonly reads: number;
  readonly window: number;
}

/** The service behind such a limit, and how many requests it sent away. */
export function windowed(
  service: Service,
  { writes, reads, window }: Limit,
  now: () => number,
): { readonly service: Service; readonly refused: () => number } {
  let begun = Number.NEGATIVE_INFINITY;
  let count = { writes: 0, reads: 0 };
  let refused = 0;
  return {
    refused: () => refused,
    service: async (request) => {
      if (now() - begun >= window) {
        begun = now();
        count = { writes: 0, reads: 0 };
      }
      const kind = request.method === 'GET' ? 'reads' : 'writes';
      count[kind] += 1;
      if (count[kind] <= (kind === 'reads' ? reads : writes)) return service(request);
      refused += 1;
      return enveloped(429, [['Retry-After', String(Math.ceil((begun + window - now()) / 1000))]]);
    },
  };
}
