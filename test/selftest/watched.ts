/** Whether a fault ever showed: compares its requests and replies with those of the service under it. */

import type { Fault } from '../../fixtures/faults/index.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';

/** A fault under observation. */
export interface WatchedFault {
  readonly inject: Fault['inject'];
  /** Numbers, from 1, of the requests at which the fault answered or did what the service without it would not have. */
  readonly shown: () => readonly number[];
}

type Heard = { readonly request: ServiceRequest; readonly reply: ServiceReply }[];

const NOT_NOW: readonly number[] = [429, 503];
/** How often a request is sent again after a retryable status. */
const MOST_TRIES = 4;

const isSentAway = ({ status }: ServiceReply): boolean => NOT_NOW.includes(status);
const isRefusal = ({ status }: ServiceReply): boolean => status >= 400 && status < 500;

const requestText = ({ method, target, headers, body }: ServiceRequest): string =>
  JSON.stringify([method, target, headers, Buffer.from(body).toString('latin1')]);

const replyText = ({ status, headers, body, fate }: ServiceReply): string =>
  JSON.stringify([status, headers, body === null ? null : Buffer.from(body).toString('latin1'), fate]);

/**
 * Nothing showed: the service got the original request, or answered with a retryable status, and its reply was passed
 * on unchanged.
 */
function showsNothing(request: ServiceRequest, reply: ServiceReply, heard: Heard): boolean {
  // A request that was rejected, for good or for now, was not carried out.
  const isCarriedOut = (reply: ServiceReply): boolean => !isSentAway(reply) && !isRefusal(reply);
  const [first, ...more] = heard.filter((one, at) => at === heard.length - 1 || isCarriedOut(one.reply));
  if (first === undefined || more.length > 0) return false;
  const untouched = requestText(first.request) === requestText(request) || isSentAway(first.reply);
  return untouched && (first.reply === reply || replyText(first.reply) === replyText(reply));
}

/** The request that the fault altered was rejected. The original may be rejected too, so it is sent again unchanged. */
async function isRefusedAnyway(service: Service, request: ServiceRequest, heard: Heard): Promise<boolean> {
  const [first, ...more] = heard;
  if (first === undefined || more.length > 0 || !isRefusal(first.reply)) return false;
  // Create call requires a 400; elsewhere any rejection will do.
  const isExact = request.target.startsWith('/v1/calls/');
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reply = await service(request);
    if (!isSentAway(reply)) return isExact ? reply.status === first.reply.status : isRefusal(reply);
  }
  return false;
}

/** The outer request to which an inner request belongs: whatever a fault does to it keeps the mark. */
const TALK = Symbol('talk');

type Marked = ServiceRequest & { readonly [TALK]?: Heard };

/**
 * The fault, watched from both sides. With `twice`, a rejected request is sent again without the fault, which may have
 * effects of its own: such a run says whether the fault showed, and is not judged.
 */
export function watched(fault: Fault, twice = false): WatchedFault {
  const shown: number[] = [];
  let count = 0;
  const inject: Fault['inject'] = (service, settings) => {
    const under: Service = async (request: Marked) => {
      const reply = await service(request);
      request[TALK]?.push({ request, reply });
      return reply;
    };
    const faulty = fault.inject(under, settings);
    return async (request) => {
      count += 1;
      const number = count;
      const heard: Heard = [];
      const marked: Marked = { ...request, [TALK]: heard };
      const reply = await faulty(marked);
      const harmless =
        showsNothing(request, reply, heard) || (twice && (await isRefusedAnyway(service, request, heard)));
      if (!harmless) shown.push(number);
      return reply;
    };
  };
  return { inject, shown: () => shown };
}
