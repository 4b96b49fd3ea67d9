/** A service with its own count of open calls, whose answers to create call and to hang-ups can be replaced. */

import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { decoded } from '../../fixtures/variants/ids.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

const JSON_TYPE = [['Content-Type', 'application/json']] as const;
export const ENVELOPE = JSON.stringify({ success: false, error: { code: 'no', message: 'No.' } });
export const json = (status: number, body = ENVELOPE): ServiceReply => ({ status, headers: JSON_TYPE, body });
export const reset = (): ServiceReply => ({ status: 200, headers: [], body: '', fate: 'reset' });

/** A call that was placed; `age` is in milliseconds. */
export interface PlacedCall {
  readonly id: string;
  readonly age: number;
  readonly isOpen: boolean;
  readonly end: () => void;
}

export interface Behaviour {
  /** The answer to a create call that placed a call; `reply` is the honest one. */
  readonly created?: (id: string, reply: ServiceReply, now: number, body: string) => ServiceReply;
  /** The answer to a valid hang-up of a call that was placed, or `undefined` for the honest one, which ends it. */
  readonly hungUp?: (call: PlacedCall, request: ServiceRequest) => ServiceReply | undefined;
  /** The answer to a create call before the service sees it, or `undefined`. */
  readonly line?: (now: number) => ServiceReply | undefined;
  /** The answer that is given again for this body, or `undefined`. */
  readonly replayed?: (body: string, now: number) => ServiceReply | undefined;
  /** What stands in place of the envelope of a rejected create call. */
  readonly refused?: (id: string, reply: ServiceReply) => ServiceReply;
  /** The id that the service shows and takes for a call. */
  readonly idOf?: (id: string) => string;
  /** The answer to a create call that is to be rejected and places a call all the same; `undefined` where it places none. */
  readonly rejected?: (id: string, reply: ServiceReply) => ServiceReply | undefined;
}

/** What is left out: no call depends on these operations. */
const NOT_OF_CALLS = [
  'updateTrunk',
  'assignNumber',
  'setInboundAuth',
  'getCarrierProvider',
  'getTrunk',
  'listNumbers',
  'searchAvailableNumbers',
  'muteParticipant',
  'updateVoiceApplication',
] as const;

/** Judges such a service, and tells which calls the service itself still has open, and which of them the run names. */
export async function callsLeft(behaviour: Behaviour) {
  const { created, hungUp, rejected, line, replayed, refused, idOf = (id: string) => id } = behaviour;
  const { service, settings } = createReference();
  const clock = skippingClock();
  const placedAt = new Map<string, number>();
  const open = new Set<string>();
  let [mostOpen, extra, hangUps] = [0, 0, 0];
  const place = (id: string): void => {
    placedAt.set(id, clock.now());
    open.add(id);
    mostOpen = Math.max(mostOpen, open.size);
  };
  const isOurs = ({ headers }: ServiceRequest): boolean =>
    headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`;
  const changed: Service = async (request) => {
    const segment = /^\/v1\/calls\/([^/]+)\/hangup\/?$/.exec(request.target)?.[1] ?? '';
    const id = [...placedAt.keys()].find((one) => idOf(one) === decoded(segment)) ?? segment;
    if (segment !== '') hangUps += 1;
    const isCreate = request.method === 'POST' && request.target === '/v1/calls/';
    const text = Buffer.from(request.body).toString();
    const early = isCreate && isOurs(request) ? (line?.(clock.now()) ?? replayed?.(text, clock.now())) : undefined;
    if (early !== undefined) return early;
    const at = placedAt.get(id);
    if (at !== undefined && isOurs(request)) {
      const end = (): void => void open.delete(id);
      const reply = hungUp?.({ id, age: clock.now() - at, isOpen: open.has(id), end }, request);
      if (reply !== undefined) return reply;
      if (id.startsWith('extra')) {
        end();
        return json(200, '{"success":true}');
      }
    }
    const reply = await service({ ...request, target: request.target.replace(segment || '\0', id) });
    if (at !== undefined && reply.status === 200) open.delete(id);
    if (!isCreate) return reply;
    if (reply.status === 201) {
      const call: string = JSON.parse(String(reply.body)).data.call.id;
      place(call);
      return created?.(call, reply, clock.now(), text) ?? reply;
    }
    if (refused !== undefined && reply.status >= 400) return refused('', reply);
    if (rejected === undefined || reply.status !== 400) return reply;
    const answer = rejected(`extra-${extra + 1}`, reply);
    if (answer === undefined) return reply;
    extra += 1;
    place(`extra-${extra}`);
    return answer;
  };
  const { record, results } = await judge(changed, optionsFrom(settings, { without: NOT_OF_CALLS }), clock);
  // Everything that is decided about calls follows from the record.
  await comesOutTheSameToo(record);
  const { possiblyOpen } = record;
  const unknown = possiblyOpen.filter((sentence) => sentence.includes('(create call)')).length;
  const notById = [...open].filter((id) => !possiblyOpen.some((sentence) => sentence.includes(id)));
  return {
    verdict: results.verdict,
    placed: placedAt.size,
    reported: record.calls,
    possiblyOpen,
    open: [...open],
    mostOpen,
    hangUps,
    /** How many open calls no sentence names. */
    unnamed: Math.max(0, notById.length - unknown),
    milliseconds: clock.now(),
  };
}
