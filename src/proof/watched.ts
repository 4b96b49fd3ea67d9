/** Whether a fault ever showed: what it heard and said beside what the service under it heard and said. */

import type { Fault } from '../../fixtures/faults/index.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';

/** A fault under observation. */
export interface WatchedFault {
  readonly inject: Fault['inject'];
  /** Whether the service with the fault ever did anything that the service without it did not. */
  readonly showed: () => boolean;
}

const written = ({ status, headers, body, fate }: ServiceReply): string =>
  JSON.stringify([status, headers, body === null ? null : Buffer.from(body).toString('latin1'), fate]);

/** The fault, watched from both sides: every request is to reach the service once, and its reply is to come out as it was. */
export function watched(fault: Fault): WatchedFault {
  const replies = new Map<ServiceRequest, ServiceReply>();
  let carriedIn = 0;
  let alike = 0;
  const inject: Fault['inject'] = (service, settings) => {
    const under: Service = async (request) => {
      carriedIn += 1;
      const reply = await service(request);
      replies.set(request, reply);
      return reply;
    };
    const faulty = fault.inject(under, settings);
    return async (request) => {
      const reply = await faulty(request);
      const before = replies.get(request);
      const same = before !== undefined && (before === reply || written(before) === written(reply));
      if (same) alike += 1;
      else alike = Number.NaN;
      replies.delete(request);
      return reply;
    };
  };
  return { inject, showed: () => carriedIn !== alike };
}
