/** A gateway whose reads are late. */

import type { Gateway } from '../../fixtures/gateways/gateways.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';

interface Snapshot {
  readonly at: number;
  readonly reply: ServiceReply;
}

/** Answers each read as it would have so many milliseconds ago. */
export const readsBehind =
  (milliseconds: number): Gateway =>
  ({ now }) => {
    const reads = new Map<string, ServiceRequest>();
    const snapshots = new Map<string, Snapshot[]>();
    return (service) => async (request) => {
      const key = `${request.target} ${request.headers['authorization']}`;
      if (request.method === 'GET') {
        reads.set(key, request);
        const old = snapshots.get(key)?.find(({ at }) => at > now() - milliseconds);
        return old?.reply ?? service(request);
      }
      for (const [name, read] of reads) {
        const known = snapshots.get(name) ?? [];
        snapshots.set(name, [...known, { at: now(), reply: await service(read) }]);
      }
      return service(request);
    };
  };
