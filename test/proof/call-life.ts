/**
 * The life of a call, and of everything that a run writes: something goes wrong at one of its requests, and afterwards
 * what the service says is open or changed is named, nothing of others is hung up, and no foreign number is dialled.
 */

import { expect } from 'vitest';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { narrowedWords } from '../sampled.ts';
import { type Ended, type Hooks, STOPPING, World } from './simulation.ts';

/** Every write, some calls, and invalid credentials. */
const SOME = narrowedWords(
  'SUCCESS-STATUS',
  'CALL-CREATE-IDS',
  'CALL-CREATE-PRIVACY',
  'UPDATE-VISIBLE',
  'AUTH-NO-EFFECT',
);
const RUN = ['run', '--profile', 'full', '--explore', '0', ...SOME];
const FOLDER = 'conformance-report';
const EDITED = 'Renamed by a colleague';

const rejection = (status: number): ServiceReply => json(status, ENVELOPE);
const lost = (fate: NonNullable<ServiceReply['fate']>): ServiceReply => ({ ...json(200, {}), fate });

/** What comes in place of an answer. */
const ANSWERS = {
  'no response': lost('reset'),
  'half a response': lost('cut'),
  'a page of a gateway': { status: 502, headers: [], body: '<h1>Bad gateway</h1>' },
  'a success without an id': json(201, { success: true }),
  'a redirect': { ...rejection(308), headers: [['Location', '/elsewhere']] },
  'status 401': rejection(401),
  'status 404': rejection(404),
  'status 409': rejection(409),
  'status 422': rejection(422),
  'status 500': rejection(500),
} as const satisfies Readonly<Record<string, ServiceReply>>;

/** Sends an update as somebody else. */
async function edit({ reference }: World, target: string, body: object): Promise<void> {
  const { service, settings } = reference;
  const headers = { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' };
  const method = target.startsWith('/v1/numbers/') ? 'PUT' : 'PATCH';
  expect((await service({ method, target, headers, body: Buffer.from(JSON.stringify(body)) })).status).toBe(200);
}

const trunkOf = ({ reference: { settings } }: World): string => `/v1/trunks/${settings.PCS_TRUNK_ID}`;

/** What happens to the process and its machine, or to the resources meanwhile. */
const STRIKES = {
  'kill -9': (world: World) => world.kill(),
  'Ctrl-C': (world: World) => world.send('SIGINT'),
  SIGTERM: (world: World) => world.send('SIGTERM'),
  'an error that nothing catches': (world: World) => world.send('uncaughtException', new Error('odd')),
  'a full disk': ({ disk }: World) => {
    disk.fault = 'ENOSPC';
  },
  'errors of the disk': ({ disk }: World) => {
    disk.fault = 'EIO';
  },
  'a removed report folder': ({ disk }: World) => {
    for (const path of disk.files.keys()) if (path.startsWith(FOLDER)) disk.files.delete(path);
  },
  'no descriptors': (world: World) => {
    world.disk.fault = 'EMFILE';
    world.isOffline = true;
  },
  'a broken progress': (world: World) => {
    world.breaks = 'progress';
  },
  'a broken recorder': (world: World) => {
    world.breaks = 'recorder';
  },
  'another editor': (world: World) => void edit(world, trunkOf(world), { status: 'disabled' }),
} as const satisfies Readonly<Record<string, (world: World) => void>>;

const isHangUp = ({ target }: ServiceRequest): boolean => target.endsWith('/hangup');
const isCreate = ({ method, target }: ServiceRequest): boolean => method === 'POST' && /^\/v1\/calls\/?$/.test(target);
const isWrite = ({ method }: ServiceRequest): boolean => ['PATCH', 'PUT', 'POST'].includes(method);

/** Which requests are counted. */
const KINDS = { request: () => true, 'create call': isCreate, 'hang-up': isHangUp, write: isWrite } as const;

/** Something that goes wrong. */
export interface Scenario {
  /** What is struck, or what comes in place of the answer. */
  readonly harm: keyof typeof STRIKES | keyof typeof ANSWERS;
  readonly kind: keyof typeof KINDS;
  /** After so many thousandths of the requests of that kind. */
  readonly at: number;
  /** `written`: when the next text is written after the answer. An answer is replaced before or after it is carried out. */
  readonly when: 'before' | 'after' | 'written';
  /** Whether all later answers of that kind are replaced as well. */
  readonly isLasting: boolean;
  /** What another editor does before `clean`. */
  readonly edit: 'none' | 'trunk' | 'voice application' | 'number';
}

/** The names of everything that can be drawn. */
export const CHOICES = {
  harm: [...Object.keys(STRIKES), ...Object.keys(ANSWERS)] as readonly Scenario['harm'][],
  kind: Object.keys(KINDS) as readonly Scenario['kind'][],
};

type State = Readonly<Record<string, string>>;

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;

/** What a run may change, open or answer, as the service sees it; a muted participant stays so. */
function stateOf({ reference }: World): State {
  const { restorable, calls } = reference.inspect();
  const open = calls.filter(
    ({ direction, status }) => status !== 'ended' && (direction === 'outbound' || status !== 'ringing'),
  );
  return {
    ...Object.fromEntries(Object.entries(restorable).map(([id, value]) => [id, JSON.stringify(sorted(value))])),
    ...Object.fromEntries(open.map(({ id }) => [id, 'open'])),
  };
}

const different = (before: State, after: State): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((id) => before[id] !== after[id]);

let counts: Readonly<Record<Scenario['kind'], number>> | undefined;

/** How many requests of each kind a run sends. */
async function countsOfRun(): Promise<Readonly<Record<Scenario['kind'], number>>> {
  if (counts !== undefined) return counts;
  const sent = { request: 0, 'create call': 0, 'hang-up': 0, write: 0 };
  await new World().run(RUN, {
    request: (_, when, request) => {
      for (const kind of CHOICES.kind) if (when === 'before' && KINDS[kind](request)) sent[kind] += 1;
      return null;
    },
  });
  counts = sent;
  return sent;
}

const isStrike = (harm: Scenario['harm']): harm is keyof typeof STRIKES => harm in STRIKES;

/** A target that answers so to every hang-up from the middle of a run on is believed: its calls end by themselves. */
const ENDED: readonly Scenario['harm'][] = ['status 404', 'status 409'];

/**
 * Whether a rejection of what was carried out would be a lie that a run may believe: of a call, or of each request. An
 * update that is rejected once and carried out all the same is found by the look before it is restored.
 */
const isLie = (harm: Scenario['harm'], isBelieved: boolean): boolean => isBelieved && harm.startsWith('status 4');

/** What goes wrong at the `nth` request of its kind, once. */
function harming({ harm, kind, when, isLasting }: Scenario, nth: number): Hooks & { readonly struck: () => boolean } {
  let [count, isArmed, isOver] = [0, false, false];
  let chosen: ServiceRequest | null = null;
  const strike = (world: World): void => {
    if (!isOver && isStrike(harm)) {
      isOver = true;
      STRIKES[harm](world);
    }
  };
  return {
    request: (world, moment, request) => {
      if (!KINDS[kind](request)) return null;
      if (moment === 'before') count += 1;
      // Of requests at once, others arrive before the answer to this one.
      if (moment === 'before' && count === nth) chosen = request;
      if (request !== chosen && (count < nth || !isLasting)) return null;
      if (moment === 'after' && when === 'written') isArmed = true;
      const isEnded = isLasting && nth > 1 && isHangUp(request) && ENDED.includes(harm);
      // A success is said only of what was carried out.
      const isCarriedOut = isEnded || harm === 'a success without an id';
      const isBefore = !isCarriedOut && (when === 'before' || isLie(harm, isLasting || isCreate(request)));
      if (moment !== (isBefore ? 'before' : 'after')) return null;
      if (!isStrike(harm)) {
        isOver = true;
        return ANSWERS[harm];
      }
      if (when !== 'written') strike(world);
      return null;
    },
    write: (world) => {
      if (isArmed) strike(world);
    },
    struck: () => isOver,
  };
}

/** A call that somebody else placed with the same credential, to a number of their own. */
async function callOfOthers({ reference }: World): Promise<string> {
  const { service, settings } = reference;
  const headers = { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' };
  const body = Buffer.from(JSON.stringify({ from: settings.PCS_CALL_FROM, to: OTHER_NUMBER }));
  const reply = await service({ method: 'POST', target: '/v1/calls/', headers, body });
  expect(reply.status).toBe(201);
  return JSON.parse(String(reply.body)).data.call.id;
}

const OTHER_NUMBER = '+15005550099';

async function editedBy(world: World, what: Scenario['edit']): Promise<string | null> {
  const { settings, spares } = world.reference;
  const application = `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`;
  const number = `/v1/numbers/${settings.PCS_NUMBER_ID}/carrier-connection`;
  if (what === 'trunk') await edit(world, trunkOf(world), { name: EDITED });
  if (what === 'voice application') await edit(world, application, { name: EDITED });
  if (what === 'number') await edit(world, number, { carrier_connection_id: spares.PCS_CARRIER_CONNECTION_ID });
  const ids = {
    none: null,
    trunk: settings.PCS_TRUNK_ID,
    'voice application': settings.PCS_VOICE_APPLICATION_ID,
    number: settings.PCS_NUMBER_ID,
  };
  return ids[what];
}

/** Whether the process ended by itself, and with its own words. */
const hasEnded = ({ code }: Ended): boolean => code !== null && [0, 1, 3].includes(code);

/** Of the screens, as many lines are shown where a law is broken. */
const LAST_LINES = 30;

/** Plays a scenario, and demands what is true whatever goes wrong. */
export async function demandLaws(scenario: Scenario): Promise<void> {
  const nth = Math.max(1, Math.round(((await countsOfRun())[scenario.kind] * scenario.at) / 1_000));
  const world = new World();
  const theirs = await callOfOthers(world);
  const before = stateOf(world);
  const hooks = harming(scenario, nth);
  const run = await world.run(RUN, hooks);
  expect(hooks.struck(), run.screen).toBe(true);
  expect([null, 0, 1, 3, 4, 130, 143], run.screen).toContain(run.code);
  // What a person does then: the machine is well again, and `clean` follows a process that did not end by itself.
  world.disk.fault = null;
  world.isOffline = false;
  const atEnd = stateOf(world);
  const isGone = !hasEnded(run) || /Possibly still open/.test(run.screen);
  const edited = isGone ? await editedBy(world, scenario.edit) : null;
  const next = isGone ? await world.run(RUN, STOPPING) : null;
  const cleaned = isGone ? await world.run(['clean', '--report-dir', FOLDER], {}) : null;
  const said = [run.screen, cleaned?.screen ?? ''].join('\n');
  const after = stateOf(world);
  const screen = said.split('\n').slice(-LAST_LINES).join('\n');

  // A run never begins over what was left, and says in one sentence what to do.
  const isKilled = scenario.harm === 'kill -9' && run.code === null;
  if (isKilled && different(before, atEnd).length > 0)
    expect([next?.code, next?.screen]).toEqual([
      2,
      expect.stringMatching(/^[^\n]*clean --report-dir \S+ --base-url http:\/\/service\.invalid first\.$/),
    ]);

  // What the service says differs is named, but for what another editor changed and this run never wrote.
  const isTouched = edited !== null && atEnd[edited] !== before[edited];
  const remains = different(before, after);
  const unnamed = remains.filter((id) => !said.includes(id.split(' ')[0] ?? id) && (id !== edited || isTouched));
  const withoutId = said.match(/request \d+ \(create call\)/g)?.length ?? 0;
  expect(
    unnamed.filter((id) => after[id] !== 'open'),
    screen,
  ).toEqual([]);
  expect(unnamed.filter((id) => after[id] === 'open').slice(withoutId), screen).toEqual([]);
  if (remains.some((id) => after[id] === 'open')) expect([run.code, cleaned?.code ?? 3], screen).not.toContain(0);

  // What another editor wrote stays.
  if (edited !== null && scenario.edit !== 'number') expect(after[edited], screen).toContain(EDITED);

  // Nothing of others is hung up, and no foreign number is dialled.
  expect(after[theirs]).toBe('open');
  const { calls } = world.reference.inspect();
  const dialled = calls.filter(({ direction, id }) => direction === 'outbound' && id !== theirs).map(({ to }) => to);
  expect(dialled.filter((to) => to !== world.reference.settings.PCS_CALL_TO)).toEqual([]);
}
