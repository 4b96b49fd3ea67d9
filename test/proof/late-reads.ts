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
        const old = snapshots.get(key)?.find(({ at }) => at > now() - milliseconds);
        if (old !== undefined) return old.reply;
        const reply = await service(request);
        // Rejected reads are not taken again: a service may count rejected credentials.
        if (reply.status < 300) reads.set(key, request);
        return reply;
      }
      for (const [name, read] of reads) {
        const known = snapshots.get(name) ?? [];
        snapshots.set(name, [...known, { at: now(), reply: await service(read) }]);
      }
      return service(request);
    };
  };
