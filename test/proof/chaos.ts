/** What may go wrong in a run, when, and what has to be true afterwards. */

import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { type Ended, type Hooks, World } from './simulation.ts';

/** Something that goes wrong, and the exit codes that a run may end with then; `null`: the process is gone. */
export interface Failure {
  readonly name: string;
  readonly strike: (world: World) => void;
  readonly codes: readonly (number | null)[];
  /** Further words of the command. */
  readonly words?: readonly string[];
}

const FOLDER = 'conformance-report';

/** Removes every file of the report folder, the lock as well. */
function removeFolder({ disk }: World): void {
  for (const path of disk.files.keys()) if (path.startsWith(FOLDER)) disk.files.delete(path);
}

/** In the order of the issue: the disk, descriptors, the suite itself, signals, the end of the process. */
export const FAILURES: readonly Failure[] = [
  {
    name: 'the disk is full',
    strike: ({ disk }) => {
      disk.fault = 'ENOSPC';
    },
    codes: [3],
  },
  {
    name: 'the disk reports errors',
    strike: ({ disk }) => {
      disk.fault = 'EIO';
    },
    codes: [3],
  },
  { name: 'the report folder is removed', strike: removeFolder, codes: [3] },
  {
    name: 'no descriptors are left',
    strike: (world) => {
      world.disk.fault = 'EMFILE';
      world.isOffline = true;
    },
    codes: [3],
  },
  {
    name: 'the progress breaks',
    strike: (world) => {
      world.breaks = 'progress';
    },
    codes: [4],
  },
  {
    name: 'the recorder breaks',
    strike: (world) => {
      world.breaks = 'recorder';
    },
    codes: [4],
    // Otherwise it would break on a request of another lane.
    words: ['--concurrency', '1'],
  },
  {
    name: 'nothing catches an error',
    strike: (world) => world.send('uncaughtException', new Error('odd')),
    codes: [4],
  },
  { name: 'Ctrl-C', strike: (world) => world.send('SIGINT'), codes: [130] },
  { name: 'a closed terminal', strike: (world) => world.send('SIGHUP'), codes: [129] },
  { name: 'SIGTERM', strike: (world) => world.send('SIGTERM'), codes: [143] },
  {
    name: 'Ctrl-C twice',
    strike: (world) => {
      world.send('SIGINT');
      void world.clock.sleep(400);
      world.send('SIGINT');
    },
    codes: [130],
  },
  { name: 'kill -9', strike: (world) => world.kill(), codes: [null] },
];

/** Names of files that a run writes at a moment, and what its requests look like then. */
const isCreate = ({ method, target }: ServiceRequest): boolean => method === 'POST' && target === '/v1/calls/';
const isHangUp = ({ target }: ServiceRequest): boolean => target.endsWith('/hangup');
const isTrunk = ({ method, target }: ServiceRequest): boolean => method === 'PATCH' && target.startsWith('/v1/trunks/');
const holds = ({ body }: ServiceRequest, text: string): boolean => Buffer.from(body).includes(text);
const isRestore = (request: ServiceRequest, trunk: string): boolean => isTrunk(request) && holds(request, `"${trunk}"`);

/** The moments in the life of a call, and of what is written. */
export const MOMENTS: Readonly<Record<string, (strike: (world: World) => void, trunk: string) => Hooks>> = {
  'before a create call is written down': (strike) => ({
    write: (world, _, text) => {
      if (text.includes('"kind":"create"')) strike(world);
    },
  }),
  'before a create call arrives': (strike) => ({
    request: (world, when, request) => {
      if (when === 'before' && isCreate(request)) strike(world);
      return null;
    },
  }),
  'between a create call and its answer': (strike) => ({
    request: (world, when, request) => {
      if (when === 'after' && isCreate(request) && world.reference.inspect().callsOpen > 0) strike(world);
      return null;
    },
  }),
  'when the answer to a create call is recorded': (strike) => ({
    write: (world, _, text) => {
      if (text.includes('"create":"placed"')) strike(world);
    },
  }),
  'when the call is known': (strike) => ({
    write: (world, _, text) => {
      if (text.includes('"kind":"call"') && text.includes('"open":true')) strike(world);
    },
  }),
  'before a hang-up arrives': (strike) => ({
    request: (world, when, request) => {
      if (when === 'before' && isHangUp(request) && world.reference.inspect().callsOpen > 0) strike(world);
      return null;
    },
  }),
  'between a hang-up and its answer': (strike) => {
    let wasOpen = false;
    return {
      request: (world, when, request) => {
        const isOpen = world.reference.inspect().callsOpen > 0;
        if (when === 'after' && isHangUp(request) && wasOpen && !isOpen) strike(world);
        wasOpen = isOpen;
        return null;
      },
    };
  },
  'between the first update and its answer': (strike) => ({
    request: (world, when, request) => {
      if (when === 'after' && isTrunk(request)) strike(world);
      return null;
    },
  }),
  'before a restore arrives': (strike, trunk) => ({
    request: (world, when, request) => {
      if (when === 'before' && isRestore(request, trunk)) strike(world);
      return null;
    },
  }),
  'between a restore and its answer': (strike, trunk) => ({
    request: (world, when, request) => {
      if (when === 'after' && isRestore(request, trunk)) strike(world);
      return null;
    },
  }),
};

/** The few sequences in which calls are placed and everything is written: a run of them takes some tens of milliseconds. */
const WORDS = ['run', '--profile', 'full', '--only', 'SUCCESS-STATUS,CALL-CREATE-STATUS,CALL-CREATE-PRIVACY'] as const;

async function ask({ reference }: World, method: string, target: string, body = ''): Promise<string> {
  const { service, settings } = reference;
  const headers = {
    authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`,
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
  };
  return String((await service({ method, target, headers, body: Buffer.from(body) })).body);
}

/** What the target shows of everything that a run writes. */
async function stateOf(world: World): Promise<Readonly<Record<string, string>>> {
  const { settings, inspect } = world.reference;
  return {
    trunk: await ask(world, 'GET', `/v1/trunks/${settings.PCS_TRUNK_ID}`),
    'voice application': await ask(world, 'PATCH', `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`, '{}'),
    number: await ask(world, 'GET', '/v1/numbers/'),
    'carrier connection': inspect().inboundSecret,
  };
}

/** Assigns all numbers to a connection that is not the one of the settings. */
async function assignElsewhere(world: World): Promise<void> {
  const { settings, spares } = world.reference;
  const body = JSON.stringify({ carrier_connection_id: spares.PCS_CARRIER_CONNECTION_ID });
  for (const number of [settings.PCS_NUMBER_ID, spares.PCS_NUMBER_ID]) {
    await ask(world, 'PUT', `/v1/numbers/${number}/carrier-connection`, body);
  }
}

/** What is left after a scenario, and what its screens say. */
export interface Aftermath {
  readonly run: Ended;
  readonly struck: boolean;
  /** What `clean` printed, if the process was gone. */
  readonly cleaned: Ended | null;
  /** Calls that are open, and of them those that no sentence names. */
  readonly open: readonly string[];
  readonly unnamed: number;
  /** Resources that are changed, and not named. */
  readonly changed: readonly string[];
  /** Create calls that arrived after the failure, besides the one that was under way. */
  readonly placedLater: number;
}

/** Plays a scenario: something goes wrong at the `nth` of such moments. */
export async function play({ strike, words = [] }: Failure, moment: keyof typeof MOMENTS, nth = 1): Promise<Aftermath> {
  const world = new World();
  await assignElsewhere(world);
  const before = await stateOf(world);
  const { settings, inspect } = world.reference;
  const trunk = inspect().trunkNames[settings.PCS_TRUNK_ID] ?? '';
  let [count, placed] = [0, -1];
  const hooks = MOMENTS[moment]?.((hit) => {
    count += 1;
    if (count !== nth) return;
    placed = inspect().callsAccepted;
    strike(hit);
  }, trunk);
  const run = await world.run([...WORDS, ...words], hooks);
  const { callsAccepted } = inspect();
  // What a person does then: the machine is well again, and `clean` follows a process that did not end by itself.
  world.disk.fault = null;
  world.isOffline = false;
  const isGone = run.code === null || run.screen.includes('Possibly still open') || !run.screen.includes('seed');
  const cleaned = isGone ? await world.run(['clean', '--report-dir', FOLDER], {}) : null;
  const screen = [run.screen, cleaned?.screen ?? ''].join('\n');
  const after = await stateOf(world);
  const open = inspect()
    .calls.filter(({ direction, status }) => direction === 'outbound' && status !== 'ended')
    .map(({ id }) => id);
  const withoutId = screen.match(/request \d+ \(create call\)/g)?.length ?? 0;
  return {
    run,
    struck: count >= nth,
    cleaned,
    open,
    unnamed: Math.max(0, open.filter((id) => !screen.includes(id)).length - withoutId),
    changed: Object.keys(after).filter((name) => after[name] !== before[name] && !namesChange(screen, name)),
    placedLater: placed < 0 ? 0 : callsAccepted - placed,
  };
}

/** Whether a sentence says that this resource is changed. */
function namesChange(screen: string, name: string): boolean {
  const [, section = ''] = /not restored([\s\S]*)/.exec(screen) ?? [];
  return section.toLowerCase().includes(name);
}
