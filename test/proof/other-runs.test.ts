/** A run says so where an answer shows what another run wrote, and never mistakes its own names for it. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { narrowed } from '../sampled.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { plainRun } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';

const { settings } = createReference();
const READING = optionsFrom(settings, narrowed('SUCCESS-STATUS', 'LIST-STATUS'));

/** Judges a service of which a killed run, or another one, changed a name through an update before. */
async function judgeAfter(update: (service: Service) => ReturnType<Service>) {
  const { service } = createReference();
  expect((await update(service)).status).toBe(200);
  return judge(service, READING);
}

const named =
  (target: string, name: string) =>
  (service: Service): ReturnType<Service> =>
    service({
      method: 'PATCH',
      target,
      headers: { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ name })),
    });

const APPLICATION = `/v1/voice-applications/${settings.PCS_VOICE_APPLICATION_ID}`;
const TRUNK = `/v1/trunks/${settings.PCS_TRUNK_ID}`;

test.each([
  ['trunk', TRUNK, 'pcs-conformance 0badcafe'],
  ['voice application', APPLICATION, 'pcs-conformance 0badcafe, long'],
])('a mark on the %s is reported', async (_, target, name) => {
  const { record, results } = await judgeAfter(named(target, name));
  expect(record.changed).toEqual([
    'the target shows the mark "pcs-conformance 0badcafe": another run is active, or one was killed',
  ]);
  expect(results.changed).toEqual([
    ...record.changed,
    expect.stringMatching(/^participant .* was muted, and no operation/),
  ]);
  await comesOutTheSame(record);
});

test('so is the mark of a run with the same seed, which was there before', async () => {
  const texts = (await plainRun()).record.exchanges.map(({ request }) => request.body?.text ?? '');
  const [own = ''] = texts.flatMap((text) => /pcs-conformance [0-9a-f]{8}/.exec(text) ?? []);
  for (const target of [TRUNK, APPLICATION]) {
    const { record } = await judgeAfter(named(target, own));
    expect(record.changed).toEqual([expect.stringContaining(`"${own}": another run is active`)]);
  }
});

test('a name that an update wrote to all trunks is named', async () => {
  const { service } = createReference();
  const renaming: Service = async (request) => {
    const reply = await service(request);
    const names = String(reply.body).match(/"name":"[^"]*"/g) ?? [];
    const isList = request.target === '/v1/trunks/' && names.length > 1;
    return isList ? { ...reply, body: String(reply.body).replaceAll(/"name":"[^"]*"/g, names[0] ?? '') } : reply;
  };
  const { record } = await judge(
    renaming,
    optionsFrom(settings, narrowed('UPDATE-VISIBLE', 'ORG-ISOLATION/listTrunks')),
  );
  expect(record.changed).toEqual([
    expect.stringMatching(/^trunk .*: a list showed the name that this run wrote to it/),
  ]);
  await comesOutTheSame(record);
});

test('a mark in another record of a list is reported, and no more than three', async () => {
  const marks = Array.from({ length: 9 }, (_, at) => `pcs-conformance 0000000${at}`);
  const { service } = createReference();
  const { record } = await judge(async (request) => {
    const reply = await service(request);
    if (request.target !== '/v1/numbers/' || reply.status !== 200) return reply;
    return { ...reply, body: String(reply.body).replace(/}$/, `,"connections":${JSON.stringify(marks)}}`) };
  }, READING);
  expect(record.changed).toHaveLength(3);
});
