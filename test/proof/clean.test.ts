/** What `clean` says of a journal, and names where it cannot restore it. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Inject } from '../../fixtures/faults/fault.ts';
import { rejected } from '../../fixtures/faults/replies.ts';
import { reading } from '../../fixtures/faults/requests.ts';
import { whose } from '../../fixtures/faults/visit.ts';
import { hearing, instead } from '../../fixtures/faults/wrap.ts';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { recordedRun } from '../../src/regression/recorded-run.ts';
import type { Results } from '../../src/verdict/results.ts';
import { enveloped } from '../e2e/live.ts';
import { narrowedWords } from '../sampled.ts';
import { type Hooks, STOPPING, World } from './simulation.ts';

test.each([
  ['although the run had it', 3],
  ['as the run did', 0],
])('without the setting of the inbound secret, clean says that it was not restored, %s', async (_, exit) => {
  const world = new World();
  const { settings, inspect } = world.reference;
  if (exit === 0) Object.assign(settings, { PCS_INBOUND_SECRET: undefined });
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
    exit,
    expect.stringContaining(
      `Changed and not restored: carrier connection ${settings.PCS_CARRIER_CONNECTION_ID}: its inbound credential was replaced`,
    ),
  ]);
});

/** The results of the world's folder, as `report` reads them. */
async function reportOf(world: World): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-clean-'));
  for (const file of ['journal.ndjson', 'results.json']) {
    const text = world.disk.files.get(`conformance-report/${file}`)?.text;
    if (text !== undefined) writeFileSync(join(folder, file), text);
  }
  return (await recordedRun(folder)).results;
}

const isTrunkUpdate = ({ method, target }: ServiceRequest): boolean =>
  method === 'PATCH' && target.startsWith('/v1/trunks/');
const isHangUp = ({ target }: ServiceRequest): boolean => target.endsWith('/hangup');

/** Kills the run once the service has carried out the first request of that kind, the hang-up of the ringing call aside. */
function killedAfter(isMeant: (request: ServiceRequest) => boolean): Hooks {
  return {
    request: (world, when, request) => {
      const { PCS_ACCESS_TOKEN: token, PCS_RINGING_CALL_ID: ringing = '' } = world.reference.settings;
      if (when === 'before' || !isMeant(request) || request.target === `/v1/calls/${ringing}/hangup`) return null;
      if (request.headers['authorization'] === `Bearer ${token}`) world.kill();
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
  expect([code, screen]).toEqual([
    3,
    expect.stringMatching(
      status === 401 ? /^Possibly open: call .*: check PCS_ACCESS_TOKEN\.$/m : /^Possibly open: call /m,
    ),
  ]);
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(begun);
});

test('the line that names clean repeats the flags of the run that was killed', async () => {
  const world = new World();
  const given = ['--timeout', '20', '--header', 'X-Gateway-Key: s3cret s3cret', '--fixture-cleanup', 'end it'];
  const words = ['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS', ...given, '--max-calls', '20'];
  await world.run(words, killedAfter(isHangUp));
  const next = await world.run(['run', '--profile', 'full'], STOPPING);
  const flags = `--timeout 20 --header "\${PCS_HEADER:?is not set}" --fixture-cleanup 'end it' first.`;
  expect([next.code, next.screen]).toEqual([2, expect.stringContaining(` --base-url http://service.invalid ${flags}`)]);
});

// What rings or confers there belongs to another user.
test.each([
  ['full', [], isTrunkUpdate],
  ['read-only', ['--fixture-command', 'begin'], ({ method }: ServiceRequest) => method === 'GET'],
])('clean ends no fixture after a run with profile %s that started none', async (profile, flags, isMeant) => {
  const world = new World();
  if (profile === 'read-only') Object.assign(world.reference.settings, NO_FIXTURES);
  await world.run(['run', '--profile', profile, '--only', 'SUCCESS-STATUS', ...flags], killedAfter(isMeant));
  Object.assign(world.reference.settings, NO_FIXTURES);
  const { code, screen } = await world.run(['clean', '--fixture-cleanup', 'exit 1; end'], {});
  expect([code, screen]).toEqual([0, expect.not.stringMatching(/fixture/)]);
});
// The number to call was rejected after the calls were hung up, with a flag as the remedy that clean does not have.
test('clean ends the fixtures of a run that was let dial a short number', async () => {
  const world = new World();
  Object.assign(world.reference.settings, NO_FIXTURES, { PCS_CALL_TO: '112' });
  const begin = 'echo PCS_RINGING_CALL_ID=a; : ';
  const flags = ['--allow-short-number', '--without', 'mute', '--fixture-command', begin];
  await world.run(['run', '--profile', 'full', ...flags], STOPPING);
  expect(await world.run(['clean', '--fixture-cleanup', ':'], {})).toMatchObject({
    code: 0,
    screen: expect.stringContaining('Ended: the live fixture ringing-call.'),
  });
});

const NO_FIXTURES = { PCS_RINGING_CALL_ID: '', PCS_CONFERENCE_ID: '', PCS_PARTICIPANT_ID: '' };

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

// The next run had moved the journal away, and `clean` said of it that everything was restored.
test('after a run that lost its target no run begins until clean restored what it left, and gave a reason where not', async () => {
  const world = new World();
  const { inspect } = world.reference;
  const stateOf = () => [inspect().trunkNames, inspect().inboundSecret];
  const before = stateOf();
  let isLost = false;
  const losing: Hooks = {
    request: (_, when, request) => {
      isLost ||= when === 'after' && isTrunkUpdate(request) && !Buffer.from(request.body).equals(Buffer.from('{}'));
      return when === 'before' && isLost ? enveloped(503) : null;
    },
  };
  expect(
    (await world.run(['run', '--profile', 'full', '--without', 'calls', '--only', 'SUCCESS-STATUS'], losing)).code,
  ).toBe(3);
  const next = await world.run(['run', '--profile', 'full'], STOPPING);
  expect([next.code, next.screen]).toEqual([2, expect.stringMatching(/may have left .+; run .* clean /)]);
  const wrong = await world.run(['clean'], answering(401));
  expect([wrong.code, wrong.screen]).toEqual([
    3,
    expect.stringMatching(/name was not restored \(status 401: check PCS_ACCESS_TOKEN\)/),
  ]);
  // A wrong credential was not the last word.
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(2);
  expect(wrong.screen).not.toMatch(/status 401.*status 401/);
  const right = await world.run(['clean'], {});
  expect([right.code, right.screen]).toEqual([0, expect.stringContaining('Restored: trunk')]);
  expect(stateOf()).toEqual(before);
  expect((await world.run(['clean'], {})).code).toBe(0);
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(-1);
});

test('a report after clean says nothing any more of the calls and values of a run that ended, but for what is left', async () => {
  const world = new World();
  const { inspect } = world.reference;
  let isLost = false;
  const losing: Hooks = {
    request: (_, when) => {
      isLost ||= when === 'after' && inspect().callsOpen > 0 && inspect().writes > 3;
      return when === 'before' && isLost ? enveloped(503) : null;
    },
  };
  const { code } = await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], losing);
  const before = await reportOf(world);
  expect([code, before.possiblyOpen.length, before.openCalls?.length, before.unrestored?.length]).toEqual([3, 1, 1, 2]);
  expect((await world.run(['clean'], {})).code).toBe(0);
  const after = await reportOf(world);
  const left = ['no response showed the previous values', 'was muted'].map((words) => expect.stringContaining(words));
  expect(after).toMatchObject({ verdict: 'incomplete', possiblyOpen: [], changed: left });
  expect([after.openCalls, after.unrestored, after.counts.mayBeOpen]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['a hang-up', isHangUp, 1],
  ['an update', isTrunkUpdate, undefined],
])('a report of a run that was killed after %s counts %s that may be open', async (_, at, calls) => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], killedAfter(at));
  expect((await reportOf(world)).counts.mayBeOpen).toBe(calls);
});

test('a reason that names a call of which clean has seen the end says so', async () => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'CALL-CREATE-STATUS'], answering(503, isHangUp));
  expect((await reportOf(world)).reason).toMatch(/the call may still be open$/);
  await world.run(['clean'], {});
  expect((await reportOf(world)).reason).toMatch(/; clean has hung up or restored that since$/);
});

test('no run begins after a clean that lost its target half-way', async () => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS'], killedAfter(isTrunkUpdate));
  const losing: Hooks = {
    request: (own, when, { target }) => {
      own.isOffline ||= when === 'before' && target.startsWith('/v1/trunks/');
      return null;
    },
  };
  expect((await world.run(['clean'], losing)).code).toBe(3);
  world.isOffline = false;
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(2);
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
  const words = ['run', '--profile', 'full', ...narrowedWords('SUCCESS-STATUS', 'UPDATE-VISIBLE')];
  expect((await world.run(words, hiding)).code).toBe(0);
  expect((await edit({ voice_url: 'https://admin.invalid/voice', name: 'Renamed later' })).status).toBe(200);
  const edited = inspect().restorable;
  const { code, screen } = await world.run(['clean'], hiding);
  // As the run did, which had nothing to restore it with.
  expect([code, screen]).toEqual([0, expect.stringContaining('its inbound credential was replaced')]);
  expect(inspect().restorable).toEqual(edited);
});

/** Takes a name of a trunk in another form. */
const taking = (form: (name: string) => string): Inject =>
  hearing(
    whose(({ name }) => typeof name === 'string'),
    reading((members) => ({ ...members, name: form(String(members['name'])) })),
  );
const ANOTHER_FORM = /trunk \S+: name was restored, and the target shows another form/;

test.each<readonly [string, Inject, number, RegExp]>([
  ['in capital letters', taking((name) => name.toUpperCase()), 0, ANOTHER_FORM],
  ['without its blanks', taking((name) => name.replaceAll(' ', '')), 0, ANOTHER_FORM],
  [
    'only if it is new',
    instead(
      whose(({ name }) => name === 'Main trunk'),
      () => rejected(422),
    ),
    3,
    /: name was not restored/,
  ],
])('where a name is taken %s, clean names what is left and exits as a run does', async (_, inject, exit, says) => {
  for (const isKilled of [false, true]) {
    const world = new World();
    const { reference } = world;
    Object.assign(reference, { service: inject(reference.service, reference.settings) });
    const run = await world.run(
      ['run', '--profile', 'full', '--only', 'UPDATE-VISIBLE'],
      isKilled ? killedAfter(isTrunkUpdate) : {},
    );
    if (!isKilled) expect([run.code, run.screen]).toEqual([exit, expect.stringMatching(says)]);
    const { code, screen } = await world.run(['clean'], {});
    expect([code, screen]).toEqual([exit, expect.stringMatching(says)]);
  }
});

const CREATED = { kind: 'create', seq: 7 };
const OPEN = { kind: 'call', ids: ['8f14e45f'], open: true };
const CLOSED = { ...OPEN, open: false };
const LATER = [
  { kind: 'create', seq: 9 },
  { kind: 'call', ids: ['b'], open: true },
  { kind: 'call', ids: ['b'], open: false },
];
/** The end of a run that restored a part of the trunk; `isFailed`: the rest was rejected. */
const inPart = (isFailed: boolean): object => {
  const [changed, unrestored] = [['trunk: a part'], isFailed ? ['trunk: a part'] : []];
  const outcome = { changed, possiblyOpen: [], unrestored };
  return { kind: 'end', outcome, restored: [{ id: 'updateTrunk', left: changed }] };
};
const NOTHING_LEFT = 'Every call of that run was hung up.\nEverything that the run wrote was restored.';

test.each<readonly [string, readonly object[] | null, string, number, RegExp, number]>([
  ['no journal', null, '', 2, /^No journal at .*--report-dir\.$/, 0],
  ['one of another target', [CREATED, OPEN], 'http://staging.invalid', 2, /but the settings name/, 0],
  ['one whose last line ends the call', [CREATED, OPEN, CLOSED], '', 0, new RegExp(`^${NOTHING_LEFT}$`), 0],
  ['one whose run could not restore a part', [inPart(true)], '', 3, /^Changed and not restored: trunk: a part\.$/m, 0],
  ['one whose run restored a part in another form', [inPart(false)], '', 0, /restored: trunk: a part\.$/m, 0],
  [
    'a call without an id, which only an edited journal holds',
    [CREATED, { ...OPEN, ids: [] }],
    '',
    3,
    /request 7 .*may be open/,
    0,
  ],
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

test('no run begins over a journal with lines that cannot be read until clean has named them', async () => {
  const world = new World();
  const start = JSON.stringify({ kind: 'start', target: 'http://service.invalid', seed: 1 });
  world.disk.files.set('conformance-report/journal.ndjson', { text: `${start}\n{"kind":"odd"}\n` });
  const next = await world.run(['run', '--profile', 'full'], STOPPING);
  expect([next.code, next.screen]).toEqual([
    2,
    expect.stringContaining('left a journal with lines that cannot be read'),
  ]);
  const cleaned = await world.run(['clean'], {});
  // It had said as well that every call of the run was hung up.
  expect([cleaned.code, cleaned.screen]).toEqual([3, expect.not.stringContaining('that run')]);
  expect(cleaned.screen).toContain('Every call in the other lines was hung up.');
  expect((await world.run(['run', '--profile', 'full'], STOPPING)).code).toBe(-1);
});

test('clean names the participant that stays muted, where it had said that everything was restored', async () => {
  const world = new World();
  await world.run(['run', '--profile', 'full', '--only', 'SUCCESS-STATUS/muteParticipant'], {});
  const { code, screen } = await world.run(['clean'], {});
  expect([code, screen]).toEqual([0, expect.stringMatching(/^Changed and not restored: participant .* was muted, /m)]);
  expect(screen).not.toContain('Everything');
});
