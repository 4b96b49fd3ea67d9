/** The name of another trunk: written where our own list shows one, in no record, and taken back whatever comes of it. */

import { expect, test } from 'vitest';
import { json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceRequest } from '../../fixtures/service/types.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSame } from './again.ts';
import { World } from './simulation.ts';

const NAME = 'Spare trunk';
const SEQUENCE = 'updateTrunk/boundary: the name of another trunk';

const writesName = ({ method, body }: ServiceRequest): boolean =>
  method === 'PATCH' && Buffer.from(body).includes(`"${NAME}"`);

const TAKEN = { success: false, error: { code: 'taken', message: `The name ${NAME.toLowerCase()} is taken.` } };

async function run(change: (service: Service, request: ServiceRequest) => ReturnType<Service>) {
  const { service, settings, inspect } = createReference();
  const before = inspect().trunkNames;
  const sent: ServiceRequest[] = [];
  const watched: Service = (request) => {
    sent.push(request);
    return change(service, request);
  };
  const judged = await judge(watched, optionsFrom(settings, narrowed('NO-SERVER-ERROR/updateTrunk', 'UPDATE-VISIBLE')));
  expect(inspect().trunkNames).toEqual(before);
  return { ...judged, sent };
}

test.each([
  ['takes it', undefined],
  ['rejects it with 409, and repeats it', json(409, TAKEN)],
])('a service that %s is conformant, and the record holds a placeholder', async (_, reply) => {
  const { sent, record, results } = await run(async (service, request) =>
    reply !== undefined && writesName(request) ? reply : service(request),
  );
  expect(sent.filter(writesName)).toHaveLength(1);
  const own = record.exchanges.filter(({ tag }) => tag.sequence === SEQUENCE);
  expect(own.map(({ request }) => JSON.parse(request.body?.text ?? '').name)).toEqual([
    '⟦name of another trunk⟧',
    expect.stringMatching(/^pcs-conformance [0-9a-f]{8}$/),
  ]);
  expect(JSON.stringify([record, results]).toLowerCase()).not.toContain(NAME.toLowerCase());
  expect([results.verdict, record.changed.filter((one) => /trunk/.test(one))]).toEqual(['conformant', []]);
  await comesOutTheSame(record);
});

test('a list that shows no other name leaves the question out, with the reason', async () => {
  const { sent, record } = await run(async (service, request) => {
    const reply = await service(request);
    return { ...reply, body: String(reply.body).replaceAll(`"${NAME}"`, 'null') };
  });
  expect(sent.filter(writesName)).toEqual([]);
  expect(record.skipped.filter(({ sequence }) => sequence === SEQUENCE)).toEqual([
    expect.objectContaining({ reason: expect.stringContaining('shows no other trunk'), why: 'occasion' }),
  ]);
});

test.each(['before', 'after'] as const)(
  'clean restores the name where the run was killed %s the answer',
  async (at) => {
    const world = new World();
    const { settings, inspect } = world.reference;
    const before = inspect().trunkNames;
    let isDue = false;
    await world.run(['run', '--profile', 'full', '--only', 'NO-SERVER-ERROR/updateTrunk'], {
      request: (own, when, request) => {
        if (isDue && at === 'after' && when === 'before') own.kill();
        if (when === 'after' && writesName(request)) {
          isDue = true;
          if (at === 'before') own.kill();
        }
        return null;
      },
    });
    expect(inspect().trunkNames[settings.PCS_TRUNK_ID]).toBe(NAME);
    const { screen } = await world.run(['clean'], {});
    expect([inspect().trunkNames, screen]).toEqual([before, expect.not.stringContaining('not restored: trunk')]);
  },
);
