/** What `clean` says of a journal, and names where it cannot restore it. */

import { expect, test } from 'vitest';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { enveloped } from '../e2e/live.ts';
import { type Hooks, STOPPING, World } from './simulation.ts';

test('without the setting that the inbound secret stood in, clean says that it was not restored', async () => {
  const world = new World();
  const { settings, inspect } = world.reference;
  const secret = inspect().inboundSecret;
  const trunk = inspect().trunkNames[settings.PCS_TRUNK_ID] ?? '';
  const hooks: Hooks = {
    request: (own, when, request) => {
      if (when === 'before' && isTrunkUpdate(request) && Buffer.from(request.body).includes(`"${trunk}"`)) own.kill();
      return null;
    },
  };
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], hooks);
  Object.assign(settings, { PCS_INBOUND_SECRET: undefined });
  const { code, screen } = await world.run(['clean'], {});
  expect(inspect().inboundSecret).not.toBe(secret);
  expect([code, screen]).toEqual([
    3,
    expect.stringContaining(
      `Changed and not restored: carrier connection ${settings.PCS_CARRIER_CONNECTION_ID}: its inbound credential was replaced`,
    ),
  ]);
});

const isTrunkUpdate = ({ method, target }: ServiceRequest): boolean =>
  method === 'PATCH' && target.startsWith('/v1/trunks/');
const isHangUp = ({ target }: ServiceRequest): boolean => target.endsWith('/hangup');

/** Kills the run once the service has carried out the first request of that kind. */
function killedAfter(isMeant: (request: ServiceRequest) => boolean): Hooks {
  return {
    request: (world, when, request) => {
      if (when === 'before' || !isMeant(request)) return null;
      if (request.headers['authorization'] === `Bearer ${world.reference.settings.PCS_ACCESS_TOKEN}`) world.kill();
      return null;
    },
  };
}

const answering = (status: number, isMeant: (request: ServiceRequest) => boolean = () => true): Hooks => ({
  request: (_, when, request) => (when === 'before' && isMeant(request) ? enveloped(status) : null),
});

test.each([
  [409, -1, 'after the target answered a hang-up ambiguously'],
  [503, 2, 'not while the target cannot say it'],
  [401, 2, 'not while it rejects the credential'],
])('where hang-ups get %i, clean exits 3, and a run ends with %i: %s', async (status, begun) => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS'], killedAfter(isHangUp));
  const { code, screen } = await world.run(['clean'], answering(status, isHangUp));
  expect([code, screen]).toEqual([3, expect.stringMatching(/^Possibly open: call /m)]);
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(begun);
});

test('an update that was rejected and carried out all the same is found by a look, and undone', async () => {
  const world = new World();
  const { settings, inspect } = world.reference;
  const name = inspect().trunkNames[settings.PCS_TRUNK_ID];
  const scope = ['--only', 'UPDATE-REJECTED-NO-EFFECT,AUTH-CREDENTIAL-ACCEPTED/updateTrunk'];
  let rejected = 0;
  const rejecting: Hooks = {
    request: (own, when, request) => {
      // The answers have come by then.
      if (when === 'before' && rejected > 0 && !isTrunkUpdate(request)) own.kill();
      if (when === 'before' || !isTrunkUpdate(request)) return null;
      rejected += 1;
      return enveloped(422);
    },
  };
  await world.run(['run', '--profile', 'full', ...scope], rejecting);
  expect(inspect().trunkNames[settings.PCS_TRUNK_ID]).not.toBe(name);
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(2);
  expect((await world.run(['clean'], {})).code).toBe(0);
  expect(inspect().trunkNames[settings.PCS_TRUNK_ID]).toBe(name);
});

test('where its journal cannot be written, clean says so and exits 3', async () => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], killedAfter(isTrunkUpdate));
  const full: Hooks = {
    write: ({ disk }, _path, text) => {
      if (text.includes('"cleaned"')) disk.fault = 'ENOSPC';
    },
  };
  const { code, screen } = await world.run(['clean'], full);
  expect([code, screen]).toEqual([
    3,
    expect.stringMatching(/The journal in \S+ could not be written \(.+\): make room/),
  ]);
});

test('what a run that ended in order restored is not written again: somebody may have changed it since', async () => {
  const world = new World();
  const { settings, inspect, service } = world.reference;
  Object.assign(settings, { PCS_INBOUND_SECRET: undefined });
  const application = `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`;
  const edit = (json: object) =>
    service({
      method: 'PATCH',
      target: application,
      headers: { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(json)),
    });
  // No answer shows the application as it is now.
  const hiding: Hooks = {
    request: (_, when, { method, target, body }) => {
      const isLook = method === 'PATCH' && target === application && Buffer.from(body).toString() === '{}';
      return when === 'after' && isLook ? { status: 204, headers: [], body: null } : null;
    },
  };
  expect((await world.run(['run', '--profile', 'full'], hiding)).code).toBe(0);
  expect((await edit({ voice_url: 'https://admin.invalid/voice', name: 'Renamed later' })).status).toBe(200);
  const edited = inspect().restorable;
  const { code, screen } = await world.run(['clean'], hiding);
  expect([code, screen]).toEqual([3, expect.stringContaining('its inbound credential was replaced')]);
  expect(inspect().restorable).toEqual(edited);
});

const CREATED = { kind: 'create', seq: 7 };
const OPEN = { kind: 'call', ids: ['8f14e45f'], open: true };
const CLOSED = { ...OPEN, open: false };
const LATER = [
  { kind: 'create', seq: 9 },
  { kind: 'call', ids: ['b'], open: true },
  { kind: 'call', ids: ['b'], open: false },
];
const NOTHING_LEFT = 'Every call of that run was hung up.\nEverything that the run wrote was restored.';

test.each<readonly [string, readonly object[] | null, string, number, RegExp, number]>([
  ['no journal', null, '', 2, /^No journal at .*--report-dir\.$/, 0],
  ['one of another target', [CREATED, OPEN], 'http://staging.invalid', 2, /but the settings name/, 0],
  ['one whose last line ends the call', [CREATED, OPEN, CLOSED], '', 0, new RegExp(`^${NOTHING_LEFT}$`), 0],
  ['a call of an earlier create, and a later one that was ended', [CREATED, OPEN, ...LATER], '', 3, /call 8f14e45f/, 1],
])('with %s clean says so, and sends what is due', async (_, entries, target, exit, says, least) => {
  const world = new World();
  const start = { kind: 'start', target: target || 'http://service.invalid', seed: 1 };
  const lines = [start, ...(entries ?? [])].map((entry) => JSON.stringify(entry));
  const text = `${lines.join('\n')}\n{"kind":"exch`;
  if (entries !== null) world.disk.files.set('conformance-report/journal.ndjson', { text });
  const { code, screen } = await world.run(['clean'], {});
  expect([code, screen]).toEqual([exit, expect.stringMatching(says)]);
  const { requests } = world.reference.inspect();
  expect(least === 0 ? requests : requests.length >= least).toEqual(least === 0 ? [] : true);
});
