/** A run that is killed at any of its requests leaves nothing that `clean` does not restore or name: a sample. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServiceRequest } from '../../fixtures/service/types.ts';
import { sampled } from '../sampled.ts';
import { demandLaws, type Edit, requestsOfRun } from './ledger-kills.ts';
import { World } from './simulation.ts';

const EDITS: readonly Edit[] = ['none', 'trunk', 'voice application', 'number'];

const REQUESTS = await requestsOfRun();

/** The number of the request after so many thousandths of a run. */
const within = (thousandths: number): number => Math.max(1, Math.round((REQUESTS * thousandths) / 1_000));

const scenarios = fc.record({
  at: fc.noBias(fc.integer({ min: 1, max: 1_000 })).map(within),
  when: fc.constantFrom('before' as const, 'after' as const),
  edit: fc.constantFrom(...EDITS),
});

// Each one a test of its own: a scenario takes a second, and has nothing that could be made smaller.
const DRAWN = sampled(fc.sample(scenarios, { seed: 24, numRuns: 16 }), 4);

test.each(DRAWN.items)(`$when request $at, with edit: $edit (${DRAWN.words})`, async (scenario) => {
  await demandLaws(scenario);
});

/** Kills that once left the number and the inbound secret, or the name of the trunk, changed without a word. */
const TELLING = sampled([189, 253, 328, 379, 423, 779, 811].map(within), 4);

test.each(TELLING.items)(`at request %i (${TELLING.words})`, async (at) => {
  await demandLaws({ at, when: 'after' });
});

test('what somebody writes after a name that no answer has shown is left alone', async () => {
  const { settings } = new World().reference;
  const path = `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`;
  let isLong = false;
  const isNext = ({ target, body }: ServiceRequest): boolean => {
    if (target !== path || isLong) return target === path;
    isLong = /"name":"[^"]{5000}/.test(Buffer.from(body).toString());
    return false;
  };
  await demandLaws({ at: isNext, when: 'before', edit: 'voice application' });
});

test.each(['before', 'after'] as const)(
  '%s the hang-up of the ringing call that was answered arrives',
  async (when) => {
    let answered = '';
    const seen = new Set<string>();
    const { screen } = await demandLaws({
      at: ({ method, target }) => {
        const [, id = '', action] = /^\/v1\/calls\/([^/]+)\/(answer|hangup)$/.exec(target) ?? [];
        // A made-up id is tried once, and the ringing call several times.
        if (method === 'POST' && action === 'answer' && seen.has(id)) answered = id;
        if (action === 'answer') seen.add(id);
        return action === 'hangup' && id === answered;
      },
      when,
    });
    expect(screen).toContain(answered);
  },
);

test('every request that may change something is in the journal before it arrives, with the values before the run', async () => {
  const arrived = new Map<string, number>();
  const missing: string[] = [];
  const secrets = new Set<string>();
  const textOf = ({ disk }: World): string => disk.files.get('conformance-report/journal.ndjson')?.text ?? '';
  const world = new World({
    request: (now, when, { method, target, body }) => {
      for (const [, secret = ''] of Buffer.from(body)
        .toString()
        .matchAll(/"secret":"([^"\\]+)"/g))
        secrets.add(secret);
      if (when === 'after' || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return null;
      const isCreate = method === 'POST' && /^\/v1\/calls\/?$/.test(target);
      const line = isCreate
        ? '{"kind":"create",'
        : `"method":${JSON.stringify(method)},"path":${JSON.stringify(target)}`;
      const before = (arrived.get(line) ?? 0) + 1;
      arrived.set(line, before);
      if (textOf(now).split(line).length - 1 < before) missing.push(`${method} ${target}`);
      return null;
    },
  });
  const { settings, inspect } = world.reference;
  await world.run(['run', '--profile', 'full', '--explore', '0']);
  expect(missing).toEqual([]);
  expect(arrived.size).toBeGreaterThan(50);
  const journal = textOf(world);
  // The configured secret, and those that the run drew.
  expect(secrets.size).toBeGreaterThan(1);
  for (const secret of [inspect().inboundSecret, ...secrets]) expect(journal).not.toContain(secret);
  const lines = journal.split('\n').filter((line) => line.includes('"kind":"write"'));
  const named = lines.map((line) => JSON.parse(line)).filter(({ ids, body }) => ids === 'named' && body !== undefined);
  const before = {
    updateTrunk: { name: 'Main trunk', status: 'active' },
    assignNumber: { carrier_connection_id: settings.PCS_CARRIER_CONNECTION_ID },
    setInboundAuth: { username: settings.PCS_INBOUND_USERNAME, secret: '⟦configured inbound secret⟧' },
  } as const;
  for (const [operation, values] of Object.entries(before)) {
    const own = named.filter((write) => write.operation === operation);
    expect(own.length).toBeGreaterThan(10);
    for (const write of own) expect(write.before).toMatchObject(values);
  }
});
