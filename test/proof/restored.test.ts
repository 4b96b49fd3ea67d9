/** After a run, the target is as before, or the run names what it changed: services that count their own state. */

import { describe, expect, test } from 'vitest';
import type { Reference } from '../../fixtures/service/reference.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { createVariant } from '../../fixtures/variants/variant.ts';
import { isWhole } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

const OTHER = '7c9e6679-7425-4de3-944b-e07fc1f90ae7';

/** Operations after which nothing has to be restored. */
const CHANGES_NOTHING = [
  'createCall',
  'hangUpCall',
  'answerCall',
  'muteParticipant',
  'searchAvailableNumbers',
  'getCarrierProvider',
] as const;

type Handler = (
  request: ServiceRequest,
  next: (request: ServiceRequest) => Promise<ServiceReply>,
  reference: Reference,
) => Promise<ServiceReply>;

function answer(status: number, body: object): ServiceReply {
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify(body) };
}

const rejected = (status: number) => answer(status, { success: false, error: { code: 'no', message: 'No.' } });
const textOf = ({ body }: ServiceRequest): string => new TextDecoder().decode(body);
const isUpdate = ({ method, target }: ServiceRequest, path: string): boolean =>
  method === 'PATCH' && target.startsWith(path);

/** Judges a service that handles its requests in this way; returns what the run names, and which records differ. */
async function judgedWith(handler: Handler, choices: Readonly<Record<string, string>> = {}) {
  const reference = createVariant(choices);
  const next = reference.service;
  const before = reference.inspect().restorable;
  const { record, results } = await judge(
    (request) => handler(request, async (changed) => next(changed), reference),
    // No call and no search changes what is restored.
    optionsFrom(reference.settings, { without: isWhole() ? [] : CHANGES_NOTHING }),
  );
  const after = reference.inspect().restorable;
  const different = Object.keys(before).filter(
    (id) => JSON.stringify(sorted(before[id])) !== JSON.stringify(sorted(after[id])),
  );
  return { different, changed: results.changed, results, record, settings: reference.settings };
}

const sorted = (record: unknown) => (typeof record === 'object' ? Object.entries(Object(record)).sort() : record);

describe('after a run', () => {
  test('the reference service is as before', async () => {
    const { different, changed } = await judgedWith((request, next) => next(request));
    expect([different, changed]).toEqual([[], []]);
  });

  test('a service that clears what an update does not name is as before, where a read shows the application', async () => {
    const { different, changed, results } = await judgedWith(
      (request, next, { settings, inspect }) => {
        const id = settings.PCS_VOICE_APPLICATION_ID;
        if (request.method !== 'GET' || request.target !== `/v1/voice-applications/${id}`) return next(request);
        return Promise.resolve(answer(200, { data: inspect().restorable[id] }));
      },
      { 'unnamed-fields': 'cleared' },
    );
    expect([different, changed]).toEqual([[], []]);
    const warned = results.requirements.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
    expect([results.verdict, warned]).toEqual(['conformant', ['UPDATE-UNNAMED-KEPT']]);
  });

  test('without such a read, the run says that values may be lost', async () => {
    const { changed, settings } = await judgedWith((request, next) => next(request), { 'unnamed-fields': 'cleared' });
    const what = `voice application ${settings.PCS_VOICE_APPLICATION_ID}`;
    expect(changed).toContain(
      `${what}: an update resets the fields that it does not name, and the values before the first update may be lost`,
    );
  });

  test('a name that a rejected update left with something added is replaced by the original', async () => {
    const { different, changed } = await judgedWith((request, next, { settings }) => {
      const [, body] = /^\{"name":"([^"]+ refused)"/.exec(textOf(request)) ?? [];
      if (body === undefined || !isUpdate(request, '/v1/voice-applications/')) return next(request);
      const noted = new TextEncoder().encode(JSON.stringify({ name: `${body} (stranger)` }));
      const headers = { ...request.headers, authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}` };
      return next({ ...request, headers: { ...headers, 'content-length': String(noted.length) }, body: noted }).then(
        () => next(request),
      );
    });
    expect([different, changed]).toEqual([[], []]);
  });

  test('a number that the other organization could assign to its own connection is assigned back at once', async () => {
    let owner: 'ours' | 'theirs' = 'ours';
    const owners: string[] = [];
    const { changed, results } = await judgedWith(async (request, next, { settings }) => {
      const { PCS_CARRIER_CONNECTION_ID: ours, PCS_OTHER_ORG_CARRIER_CONNECTION_ID: theirs = '' } = settings;
      const isAssigned = request.method !== 'GET' && request.target.includes(settings.PCS_NUMBER_ID);
      const isOther = request.headers['authorization'] === `Bearer ${settings.PCS_OTHER_ORG_ACCESS_TOKEN}`;
      if (isAssigned && isOther && textOf(request).includes(theirs)) {
        owner = 'theirs';
        owners.push(owner);
        return answer(200, { success: true });
      }
      const reply = await next(request);
      if (isAssigned && reply.status < 300 && owner === 'theirs') {
        owner = 'ours';
        owners.push(owner);
      }
      const shown = owner === 'theirs' && request.target.startsWith('/v1/numbers') && request.method === 'GET';
      return shown ? { ...reply, body: String(reply.body).replace(ours, theirs) } : reply;
    });
    expect([owner, owners, changed]).toEqual(['ours', ['theirs', 'ours'], []]);
    const failed = results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(['ORG-ISOLATION']);
  });

  test('a number that anyone could assign to another connection is assigned back at once, each time', async () => {
    const owners = ['ours'];
    const { changed, results } = await judgedWith(async (request, next, { settings }) => {
      const isAssigned = request.method === 'PUT' && request.target.includes(settings.PCS_NUMBER_ID);
      const isTheirs = textOf(request).includes(settings.PCS_OTHER_ORG_CARRIER_CONNECTION_ID ?? '');
      const reply = isAssigned && isTheirs ? answer(200, { success: true }) : await next(request);
      if (isAssigned && reply.status < 300) owners.push(isTheirs ? 'theirs' : 'ours');
      return reply;
    });
    const after = owners.flatMap((one, at) => (one === 'theirs' ? [owners[at + 1]] : []));
    expect([changed, after]).toEqual([[], ['ours', 'ours', 'ours']]);
    const failed = results.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toContain('AUTH-SECRET');
  });

  test('an inbound credential that could not be written back is named with the status', async () => {
    const { changed, settings } = await judgedWith((request, next, { settings: own }) =>
      textOf(request).includes(own.PCS_INBOUND_SECRET) ? Promise.resolve(rejected(404)) : next(request),
    );
    const what = `carrier connection ${settings.PCS_CARRIER_CONNECTION_ID}`;
    expect(changed).toContain(
      `${what}: its inbound credential was replaced, and PCS_INBOUND_* could not be written (status 404); set it again`,
    );
  });

  test.each([
    ['a member', { region: 'eu' }, 'region has no value any more'],
    ['a list and a member', { endpoints: ['a', 'b'], region: 'eu' }, 'endpoints and region have no values any more'],
  ])('%s of the trunk that an update clears, and no request writes, is named', async (_, more, phrase) => {
    let isCleared = false;
    const { changed, settings } = await judgedWith(async (request, next, { settings: own }) => {
      const reply = await next(request);
      const isTrunk = request.target.startsWith(`/v1/trunks/${own.PCS_TRUNK_ID}`) && reply.status === 200;
      if (isTrunk && request.method === 'PATCH') isCleared = true;
      if (!isTrunk || request.method !== 'GET') return reply;
      const members = isCleared ? { endpoints: [], region: null } : more;
      return { ...reply, body: String(reply.body).replace('"name"', `${JSON.stringify(members).slice(1, -1)},"name"`) };
    });
    expect(changed).toEqual([
      `trunk ${settings.PCS_TRUNK_ID}: ${phrase}, and the interface has no request that writes ${phrase.startsWith('region') ? 'it' : 'them'}`,
    ]);
  });

  test('a trunk that only the list shows is as before', async () => {
    const { different } = await judgedWith((request, next, { settings }) =>
      request.method === 'GET' && request.target.endsWith(settings.PCS_TRUNK_ID)
        ? Promise.resolve(rejected(403))
        : next(request),
    );
    expect(different).toEqual([]);
  });

  test('a trunk whose shown status cannot be written has its other fields as before', async () => {
    const { different, changed } = await judgedWith((request, next) =>
      isUpdate(request, '/v1/trunks/') && textOf(request).includes('"status"')
        ? Promise.resolve(rejected(422))
        : next(request),
    );
    expect([different, changed]).toEqual([[], []]);
  });

  test('what a rejected update changed is restored as well', async () => {
    const { different, changed } = await judgedWith(async (request, next) => {
      if (!isUpdate(request, '/v1/trunks/') || textOf(request).includes('Main trunk')) return next(request);
      await next(request);
      return rejected(422);
    });
    expect([different, changed]).toEqual([[], []]);
  });

  test.each([
    ['updateTrunk', '/v1/trunks/', 'Main trunk', 'trunk', /: name was not restored$/],
    [
      'updateVoiceApplication',
      '/v1/voice-applications/',
      'Front desk',
      'voice application',
      /: name.* may not have been restored$/,
    ],
  ])('a restore by %s that is rejected is named', async (_, path, name, what, sentence) => {
    const { different, changed, results, settings } = await judgedWith((request, next) =>
      isUpdate(request, path) && textOf(request).includes(name) ? Promise.resolve(rejected(400)) : next(request),
    );
    const id = what === 'trunk' ? settings.PCS_TRUNK_ID : settings.PCS_VOICE_APPLICATION_ID;
    expect([results.verdict, different, changed]).toEqual([
      'conformant',
      [id],
      [expect.stringContaining(`${what} ${id}: `)],
    ]);
    expect(changed[0]).toMatch(sentence);
  });

  test('a restore that has no effect is seen by the read after it', async () => {
    const { different, changed, settings } = await judgedWith((request, next) =>
      isUpdate(request, '/v1/trunks/') && textOf(request).includes('Main trunk')
        ? Promise.resolve(answer(200, { success: true }))
        : next(request),
    );
    expect([different, changed]).toEqual([
      [settings.PCS_TRUNK_ID],
      [`trunk ${settings.PCS_TRUNK_ID}: name was not restored`],
    ]);
  });
});

describe('a number that was assigned to another connection', () => {
  /** A number of the reference that is assigned to a connection of which the settings know nothing. */
  function elsewhere(isTakenBack: boolean) {
    const state = { assigned: OTHER };
    const handler: Handler = async (request, next, { settings }) => {
      const own = settings.PCS_CARRIER_CONNECTION_ID;
      if (request.method === 'PUT' && request.target === `/v1/numbers/${settings.PCS_NUMBER_ID}/carrier-connection`) {
        const isBack = textOf(request).includes(OTHER);
        if (isBack && !isTakenBack) return rejected(409);
        const known = isBack ? { ...request, body: Buffer.from(textOf(request).replace(OTHER, own)) } : request;
        const reply = await next(known);
        if (reply.status === 200) state.assigned = isBack ? OTHER : own;
        return reply;
      }
      const reply = await next(request);
      if (request.method !== 'GET' || request.target !== '/v1/numbers/' || reply.status !== 200) return reply;
      return { ...reply, body: String(reply.body).replace(own, state.assigned) };
    };
    return { state, handler };
  }

  test('goes back to it', async () => {
    const { state, handler } = elsewhere(true);
    expect([(await judgedWith(handler)).changed, state.assigned]).toEqual([[], OTHER]);
  });

  test('stays with a valid one if the target does not take it back, and is named', async () => {
    const { state, handler } = elsewhere(false);
    const { changed, settings } = await judgedWith(handler);
    const own = settings.PCS_CARRIER_CONNECTION_ID;
    expect(state.assigned).toBe(own);
    expect(changed).toEqual([
      `number ${settings.PCS_NUMBER_ID} is assigned to carrier connection ${own}; previously to ${OTHER}`,
    ]);
  });
});

test('a trunk whose list shows its name cut off is as before', async () => {
  const { different, changed } = await judgedWith(async (request, next) => {
    const reply = await next(request);
    if (request.method !== 'GET' || request.target !== '/v1/trunks/' || reply.status !== 200) return reply;
    return { ...reply, body: String(reply.body).replace(/("name":"[^"]{4})[^"]*"/g, '$1"') };
  });
  expect([different, changed]).toEqual([[], []]);
});

test('a number without a connection stays without one where each assignment is rejected', async () => {
  const { changed, record } = await judgedWith(async (request, next) => {
    if (request.method === 'PUT' && request.target.endsWith('/carrier-connection')) return rejected(422);
    const reply = await next(request);
    if (request.method !== 'GET' || request.target !== '/v1/numbers/' || reply.status !== 200) return reply;
    return { ...reply, body: String(reply.body).replace(/("carrier_connection_id":)"[^"]*"/g, '$1null') };
  });
  const restoring = record.exchanges.filter(({ tag }) => tag.operation === 'assignNumber' && tag.role === 'restore');
  expect([changed, restoring]).toEqual([[], []]);
});

test('a number whose list never shows a connection is named as one that may be assigned', async () => {
  const { changed, settings } = await judgedWith(async (request, next) => {
    const reply = await next(request);
    if (request.method !== 'GET' || request.target !== '/v1/numbers/' || reply.status !== 200) return reply;
    return { ...reply, body: String(reply.body).replace(/("carrier_connection_id":)"[^"]*"/g, '$1null') };
  });
  expect(changed).toEqual([
    `number ${settings.PCS_NUMBER_ID} may be assigned to carrier connection ${settings.PCS_CARRIER_CONNECTION_ID}: the list of numbers showed none before the run, and shows none now`,
  ]);
});
