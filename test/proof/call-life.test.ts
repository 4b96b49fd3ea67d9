/** Something goes wrong at one request of a run: a few of the scenarios; test/long plays many more. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../sampled.ts';
import { CHOICES, demandLaws, type Scenario } from './call-life.ts';
import { World } from './simulation.ts';

const PLAIN = { kind: 'request', at: 500, when: 'after', isLasting: false, edit: 'none' } as const;

/** Each once left a call open, or something changed, without a word. */
const TELLING: readonly Scenario[] = [
  { ...PLAIN, harm: 'status 404', kind: 'hang-up', at: 0, when: 'before', isLasting: true },
  { ...PLAIN, harm: 'no response', kind: 'create call', at: 0, isLasting: true },
  { ...PLAIN, harm: 'status 422', kind: 'write', at: 0, isLasting: true },
  { ...PLAIN, harm: 'status 422', kind: 'hang-up', when: 'before', isLasting: true },
  { ...PLAIN, harm: 'kill -9', at: 392, edit: 'trunk' },
  { ...PLAIN, harm: 'kill -9', kind: 'create call', when: 'written' },
  { ...PLAIN, harm: 'a broken recorder', kind: 'create call' },
  { ...PLAIN, harm: 'a broken recorder', kind: 'write' },
  { ...PLAIN, harm: 'another editor', at: 450 },
  { ...PLAIN, harm: 'a full disk', kind: 'create call', when: 'before' },
  { ...PLAIN, harm: 'Ctrl-C', kind: 'hang-up', when: 'before' },
];

const drawn = fc.record<Scenario>({
  harm: fc.constantFrom(...CHOICES.harm),
  kind: fc.constantFrom(...CHOICES.kind),
  at: fc.noBias(fc.integer({ min: 0, max: 1_000 })),
  when: fc.constantFrom('before', 'after', 'written'),
  isLasting: fc.boolean(),
  edit: fc.constantFrom('none', 'trunk', 'voice application', 'number'),
});

// Each one a test of its own: a scenario takes a second, and has nothing that could be made smaller.
const DRAWN = sampled(fc.sample(drawn, { seed: 24, numRuns: 400 }), 400);

const TOLD = sampled(TELLING, 4);

test.each([...TOLD.items, ...DRAWN.items])(
  `$harm, $when the $kind after $at thousandths, lasting: $isLasting, edit: $edit (${TOLD.words}; of those that are drawn ${DRAWN.words})`,
  async (scenario) => {
    await demandLaws(scenario);
  },
);

test('every request that may change something is in the journal before it arrives, with the values before the run', async () => {
  const arrived = new Map<string, number>();
  const missing: string[] = [];
  const secrets = new Set<string>();
  const textOf = ({ disk }: World): string => disk.files.get('conformance-report/journal.ndjson')?.text ?? '';
  const written = new Map<string, number>();
  let read = 0;
  const keyOf = (method: string, path: string): string =>
    method === 'POST' && /^\/v1\/calls\/?$/.test(path) ? 'create' : `${method} ${path}`;
  const readOn = (text: string): void => {
    for (const line of text
      .slice(read)
      .split('\n')
      .filter((one) => /"kind":"(?:write|create)"/.test(one))) {
      const { kind, method, path } = JSON.parse(line);
      const key = kind === 'create' ? kind : keyOf(method, path);
      written.set(key, (written.get(key) ?? 0) + 1);
    }
    read = text.length;
  };
  const world = new World({
    request: (now, when, { method, target, body }) => {
      for (const [, secret = ''] of Buffer.from(body)
        .toString()
        .matchAll(/"secret":"([^"\\]+)"/g))
        secrets.add(secret);
      if (when === 'after' || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return null;
      readOn(textOf(now));
      const key = keyOf(method, target);
      arrived.set(key, (arrived.get(key) ?? 0) + 1);
      if ((written.get(key) ?? 0) < (arrived.get(key) ?? 0)) missing.push(`${method} ${target}`);
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
