/**
 * A run is killed at one of its requests, somebody may change a resource then, and another run and `clean` follow. What
 * the service says is changed, open or answered is what the ledger restored or named.
 */

import { expect, test } from 'vitest';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { type Ended, type Hooks, World } from './simulation.ts';

/** What another editor does before `clean`. */
export type Edit = 'none' | 'trunk' | 'voice application' | 'number';

/** A process is killed before a request arrives, or once the service has carried it out. */
export interface Scenario {
  /** From 1, or the first request of that kind. */
  readonly at: number | ((request: ServiceRequest) => boolean);
  readonly when: 'before' | 'after';
  readonly edit?: Edit;
}

const RUN = ['run', '--profile', 'full'] as const;
const EDITED = 'Renamed by a colleague';

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

function killing({ at, when }: Scenario): Hooks {
  let count = 0;
  let chosen: ServiceRequest | null = null;
  return {
    request: (world, moment, request) => {
      if (moment === 'before') count += 1;
      const isChosen = typeof at === 'number' ? count === at : at(request);
      if (moment === 'before' && isChosen) chosen ??= request;
      if (moment === when && request === chosen) world.kill();
      return null;
    },
  };
}

/** Ends a run that ought not to have begun; what the killed process had under way may still come through. */
const STOPPING: Hooks = {
  request: (world, moment) => {
    if (moment === 'before') world.kill(-1);
    return null;
  },
};

/** Sends a request to the service, as somebody else. Resolves with the id of the resource. */
async function editAs(world: World, edit: Edit): Promise<string | null> {
  const { service, settings, spares } = world.reference;
  const send = async (method: string, target: string, json: object): Promise<void> => {
    const headers = { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' };
    expect((await service({ method, target, headers, body: Buffer.from(JSON.stringify(json)) })).status).toBe(200);
  };
  if (edit === 'trunk') await send('PATCH', `/v1/trunks/${settings.PCS_TRUNK_ID}`, { name: EDITED });
  if (edit === 'voice application')
    await send('PATCH', `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`, { name: EDITED });
  if (edit === 'number')
    await send('PUT', `/v1/numbers/${settings.PCS_NUMBER_ID}/carrier-connection`, {
      carrier_connection_id: spares.PCS_CARRIER_CONNECTION_ID,
    });
  const ids: Readonly<Record<Edit, string | undefined>> = {
    none: undefined,
    trunk: settings.PCS_TRUNK_ID,
    'voice application': settings.PCS_VOICE_APPLICATION_ID,
    number: settings.PCS_NUMBER_ID,
  };
  return ids[edit] ?? null;
}

/** How many requests a run sends. */
export async function requestsOfRun(): Promise<number> {
  const world = new World();
  await world.run(RUN);
  return world.reference.inspect().requests.length;
}

/** Plays a scenario, and demands the laws of the ledger. Resolves with what `clean` said. */
export async function demandLaws(scenario: Scenario): Promise<Ended> {
  const world = new World();
  const before = stateOf(world);
  const killed = await world.run(RUN, killing(scenario));
  expect(killed.code).toBe(null);
  const atKill = stateOf(world);
  const edited = await editAs(world, scenario.edit ?? 'none');
  const withEdit = stateOf(world);
  const next = await world.run(RUN, STOPPING);
  const cleaned = await world.run(['clean'], {});
  const after = stateOf(world);
  const { screen, code } = cleaned;

  // A run never begins over what was left, and says in one sentence what to do.
  const wasLeft = different(before, atKill).length > 0;
  if (wasLeft)
    expect([next.code, next.screen]).toEqual([2, expect.stringMatching(/^[^\n]*clean --report-dir \S+ first\.$/)]);

  // What the service says differs is named, but for what another editor changed and this run never wrote.
  const isTouched = edited !== null && atKill[edited] !== before[edited];
  const remains = different(before, after);
  const unnamed = remains.filter((id) => !screen.includes(id.split(' ')[0] ?? id) && (id !== edited || isTouched));
  const withoutId = screen.match(/request \d+ \(create call\)/g)?.length ?? 0;
  expect(
    unnamed.filter((id) => after[id] !== 'open'),
    screen,
  ).toEqual([]);
  expect(unnamed.filter((id) => after[id] === 'open').slice(withoutId), screen).toEqual([]);

  // What another editor wrote stays.
  if (edited !== null && scenario.edit !== 'number') expect(after[edited], screen).toContain(EDITED);
  if (edited !== null && scenario.edit === 'number') expect(after[edited], screen).toBe(withEdit[edited]);

  // Exit 0 only if nothing is left; and then a run may begin.
  const own = remains.filter((id) => id !== edited);
  expect([0, 3]).toContain(code);
  if (code === 0) expect([own, isTouched], screen).toEqual([[], false]);
  const again = await world.run(RUN, STOPPING);
  if (!screen.includes('Possibly open: call')) expect(again.code, again.screen).toBe(-1);
  return cleaned;
}

/** Registers the proof for a part of all requests of a run, in blocks. */
export function proveKills(part: number, parts: number): void {
  const BLOCK = 20;
  const BLOCKS = 44;
  const blocks = Array.from({ length: BLOCKS }, (_, block) => block).filter((block) => block % parts === part - 1);
  test.each(blocks)('block %i of requests', async (block) => {
    const requests = await requestsOfRun();
    expect(requests).toBeLessThanOrEqual(BLOCKS * BLOCK);
    for (let at = block * BLOCK + 1; at <= Math.min(requests, (block + 1) * BLOCK); at += 1) {
      for (const when of ['before', 'after'] as const) await demandLaws({ at, when });
    }
  });
}
