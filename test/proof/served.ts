/** What servers add to the responses of a service, and a certificate compares: when, and how much. */

import type { Service } from '../../fixtures/service/types.ts';
import type { Clock } from '../../src/client/clock.ts';

/** When the certifications of the harness end, about. */
const ENDED = Date.parse('2026-01-31T12:00:00.000Z');

/** The service behind a server that says when it answers, and how long its body is. */
export function served(service: Service, { now }: Clock): Service {
  return async (request) => {
    const reply = await service(request);
    const has = (name: string): boolean => reply.headers.some(([field]) => field.toLowerCase() === name);
    const length = Buffer.byteLength(reply.body ?? '');
    const isSized = !has('content-length') && !has('content-encoding') && reply.status !== 204;
    const more = [
      ...(has('date') ? [] : [['Date', new Date(ENDED + now()).toUTCString()] as const]),
      ...(isSized ? [['Content-Length', String(length)] as const] : []),
    ];
    return { ...reply, headers: [...reply.headers, ...more] };
  };
}
