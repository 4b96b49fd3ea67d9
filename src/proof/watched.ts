/** Whether a fault ever showed: what it heard and said beside what the service under it heard and said. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fault } from '../../fixtures/faults/index.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';

/** A fault under observation. */
export interface WatchedFault {
  readonly inject: Fault['inject'];
  /** Whether the service with the fault ever answered or did what the service without it would not have. */
  readonly showed: () => boolean;
}

/** What reached the service under the fault while one request was served. */
type Heard = { readonly request: ServiceRequest; readonly reply: ServiceReply }[];

const NOT_NOW: readonly number[] = [429, 503];

const written = ({ status, headers, body, fate }: ServiceReply): string =>
  JSON.stringify([status, headers, body === null ? null : Buffer.from(body).toString('latin1'), fate]);

/** Nothing showed: the service heard the request itself, or sent whatever it heard away; and its reply came out as it was. */
function isHarmless(request: ServiceRequest, reply: ServiceReply, heard: Heard): boolean {
  const [first, ...more] = heard;
  if (first === undefined || more.length > 0) return false;
  const untouched = first.request === request || NOT_NOW.includes(first.reply.status);
  return untouched && (first.reply === reply || written(first.reply) === written(reply));
}

/** The fault, watched from both sides. */
export function watched(fault: Fault): WatchedFault {
  const talk = new AsyncLocalStorage<Heard>();
  let showed = false;
  const inject: Fault['inject'] = (service, settings) => {
    const under: Service = async (request) => {
      const reply = await service(request);
      talk.getStore()?.push({ request, reply });
      return reply;
    };
    const faulty = fault.inject(under, settings);
    return async (request) => {
      const heard: Heard = [];
      const reply = await talk.run(heard, () => faulty(request));
      if (!isHarmless(request, reply, heard)) showed = true;
      return reply;
    };
  };
  return { inject, showed: () => showed };
}
