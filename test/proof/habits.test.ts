/** Lawful services with unusual habits: none is accused, and what stays open has a remedy or says that none exists. */

import { describe, expect, test } from 'vitest';
import { ENVELOPE, json, text } from '../../fixtures/null/replies.ts';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import type { Clock } from '../../src/client/clock.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { casesOf, isBroken, isMust } from '../selftest/judged.ts';

interface Place extends Reference {
  readonly clock: Clock;
}

interface Habit {
  readonly name: string;
  readonly of: (place: Place) => Service;
  /** Words of the reason or the remedy of every binding case that stays open; without them, none may. */
  readonly open?: RegExp;
}

type Reply = (reply: ServiceReply, request: ServiceRequest) => ServiceReply;

const HANG_UP = /^\/v1\/calls\/([^/]+)\/hangup$/;
const isCreate = ({ method, target }: ServiceRequest): boolean => method === 'POST' && target === '/v1/calls/';
const isAccepted = ({ status }: ServiceReply): boolean => status < 300;
const jsonOf = ({ body }: ServiceReply) => JSON.parse(String(body));

/** The reference, which answers requests with the credential of the settings in its own way. */
const authorized =
  (answer: (request: ServiceRequest, service: Service) => Promise<ServiceReply> | ServiceReply) =>
  ({ service, settings }: Place): Service =>
  async (request) =>
    request.headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`
      ? answer(request, service)
      : service(request);

const replying = (reply: Reply) => authorized(async (request, service) => reply(await service(request), request));

/** Ids of calls in a form of its own. */
function withCallIds(formOf: (id: string, count: number) => string | number) {
  return ({ service }: Place): Service => {
    const ids = new Map<string, string>();
    return async (request) => {
      const target = request.target.replace(/(?<=^\/v1\/calls\/)[^/]+/, (id) => ids.get(id) ?? id);
      const reply = await service({ ...request, target });
      if (!isCreate(request) || !isAccepted(reply)) return reply;
      const { id } = jsonOf(reply).data.call;
      const form = formOf(id, ids.size + 1_041);
      ids.set(String(form), id);
      return json(reply.status, { object: 'call', id: form, attempts: ids.size });
    };
  };
}

/** Knows a new call only after two seconds. */
function replicating({ clock, ...place }: Place): Service {
  const born = new Map<string, number>();
  return authorized(async (request, service) => {
    const [, id = ''] = HANG_UP.exec(request.target) ?? [];
    if (clock.now() - (born.get(id) ?? Number.NEGATIVE_INFINITY) < 2_000) return json(404, ENVELOPE);
    const reply = await service(request);
    if (isCreate(request) && isAccepted(reply)) born.set(jsonOf(reply).data.call.id, clock.now());
    return reply;
  })({ clock, ...place });
}

/** Answers three reads of a trunk from a cache before it looks again. */
function caching(place: Place): Service {
  const kept = new Map<string, { readonly reply: ServiceReply; reads: number }>();
  return authorized(async (request, service) => {
    if (request.method !== 'GET' || !/trunks\/./.test(request.target)) return service(request);
    const cached = kept.get(request.target);
    if (cached !== undefined && cached.reads < 3) {
      cached.reads += 1;
      return cached.reply;
    }
    const reply = await service(request);
    kept.set(request.target, { reply, reads: 0 });
    return reply;
  })(place);
}

/** Shows a change of the trunk to reads that come two seconds later, and the trunk before it until then. */
function lagging(place: Place): Service {
  let [changedAt, before] = [Number.NEGATIVE_INFINITY, undefined as ServiceReply | undefined];
  return authorized(async (request, service) => {
    const isTrunk = /trunks\/./.test(request.target);
    if (isTrunk && request.method === 'GET' && before !== undefined && place.clock.now() - changedAt < 2_000)
      return before;
    if (isTrunk && request.method === 'PATCH') {
      before = await service({ ...request, method: 'GET', body: new Uint8Array() });
      if (before.status !== 200) before = undefined;
      changedAt = place.clock.now();
    }
    return service(request);
  })(place);
}

/** Rejects all calls with that status once so many were placed. */
const withQuota =
  (most: number, status: number) =>
  (place: Place): Service => {
    let placed = 0;
    return authorized(async (request, service) => {
      if (isCreate(request) && placed >= most) return json(status, ENVELOPE);
      const reply = await service(request);
      if (isCreate(request) && isAccepted(reply)) placed += 1;
      return reply;
    })(place);
  };

const HABITS: readonly Habit[] = [
  { name: 'ids of calls with a prefix', of: withCallIds((id) => `call_${id.replaceAll('-', '')}`) },
  { name: 'numbers as ids of calls', of: withCallIds((_, count) => count) },
  { name: 'a new call is not known at once', of: replicating },
  { name: 'reads from a cache', of: caching },
  { name: 'reads from a replica two seconds behind', of: lagging },
  {
    name: 'lists without a body',
    of: replying((reply, { target }) => (/^\/v1\/(numbers|trunks)\/$/.test(target) ? { ...reply, body: null } : reply)),
  },
  {
    name: 'an HTTP parser that rejects long paths with an HTML page',
    of:
      ({ service }) =>
      async (request) =>
        request.target.length > 150 ? text(414, 'text/html', '<h1>URI too long</h1>') : service(request),
  },
  {
    name: 'white space and line breaks around the JSON',
    of: replying((reply) => (typeof reply.body === 'string' ? { ...reply, body: `\r\n ${reply.body}\n\n` } : reply)),
  },
  {
    name: 'updates that want If-Match',
    of: authorized((request, service) => (request.method === 'PATCH' ? json(428, ENVELOPE) : service(request))),
    open: /this cannot be tested/,
  },
  { name: 'a quota of six calls', of: withQuota(6, 402), open: /limits how many calls may be placed/ },
  { name: 'six calls a day', of: withQuota(6, 429), open: /run again later/ },
];

const HERE = sampled(HABITS, 3, ({ open }) => open !== undefined);

describe(`a lawful service is accused of nothing, not even with a warning (${HERE.words})`, () => {
  test.each(HERE.items)('$name', async ({ of, open }) => {
    const clock = skippingClock();
    const reference = createReference({ now: clock.now, wait: clock.sleep });
    const { results } = await judge(of({ ...reference, clock }), optionsFrom(reference.settings), clock);
    const cases = casesOf(results);
    expect(cases.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    const left = cases.filter((one) => isMust(one) && one.verdict === 'inconclusive');
    expect(left.length > 0).toBe(open !== undefined);
    const unhelped = left.filter(({ reason = '', remedy = '' }) => open?.test(`${reason} ${remedy}`) !== true);
    expect(unhelped.map(({ id, reason, remedy }) => `${id}: ${reason} (${remedy})`)).toEqual([]);
    expect(reference.inspect().callsOpen).toBe(0);
  });
});
