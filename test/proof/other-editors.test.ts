/**
 * A field is restored only where the target still shows what this run wrote. What another editor wrote is left alone and
 * named; a target whose reads lag behind, or that stores values in its own way, is no other editor.
 */

import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

const EDITED = 'Renamed by a colleague';
const { settings: SETTINGS, spares: SPARES } = createReference();
const TRUNK = `/v1/trunks/${SETTINGS.PCS_TRUNK_ID}`;
const APPLICATION = `/v1/voice-applications/${SETTINGS.PCS_VOICE_APPLICATION_ID}`;
const NUMBER = `/v1/numbers/${SETTINGS.PCS_NUMBER_ID}/carrier-connection`;
const SPARE = SPARES.PCS_CARRIER_CONNECTION_ID ?? '';

type Around = (
  request: ServiceRequest,
  next: () => Promise<ServiceReply>,
  count: number,
  reference: Reference,
) => Promise<ServiceReply>;

/** Judges the reference service with something around it; `count` is the number of the request, from 1. */
async function judgedAround(around: Around) {
  const reference = createReference();
  const before = reference.inspect().restorable;
  let count = 0;
  const clock = skippingClock();
  const { record } = await judge(
    (request) => {
      count += 1;
      return around(request, async () => reference.service(request), count, reference);
    },
    optionsFrom(reference.settings),
    clock,
  );
  const after = reference.inspect().restorable;
  const changedIds = Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  // What the run decided follows from the record.
  await comesOutTheSameToo(record);
  return { changed: record.changed, after, changedIds, waited: clock.now(), exchanges: record.exchanges };
}

async function edit({ service, settings }: Reference, target: string, json: object): Promise<void> {
  const headers = { authorization: `Bearer ${settings.PCS_ACCESS_TOKEN}`, 'content-type': 'application/json' };
  const method = target === NUMBER ? 'PUT' : 'PATCH';
  expect((await service({ method, target, headers, body: Buffer.from(JSON.stringify(json)) })).status).toBe(200);
}

/** Edits before the request of that number arrives. */
const editingAt =
  (at: number, target: string, json: object): Around =>
  async (_request, next, count, reference) => {
    if (count === at) await edit(reference, target, json);
    return next();
  };

const whole = await judgedAround((_request, next) => next());

/** The number of the request that looks at a resource before it is restored; every run sends the same up to it. */
function lookAt(sequence: string): number {
  const look = whole.exchanges.find(({ tag }) => tag.sequence === sequence);
  expect(look).toBeDefined();
  return look?.seq ?? 0;
}

/** The number of the request after so many thousandths of a run. */
const within = (thousandths: number): number => Math.round((whole.exchanges.length * thousandths) / 1_000);

test('two requests look before anything is restored, and nothing is named', () => {
  const looks = whole.exchanges.filter(({ tag }) => tag.about.endsWith('before it is restored'));
  expect([looks.length, whole.changed, whole.changedIds, whole.waited]).toEqual([2, [], [], 0]);
});

describe('another editor in mid-run', () => {
  const disabled = sampled([lookAt('updateTrunk/restore'), within(55), within(450), within(683)], 4);

  test.each(disabled.items)(
    `disables the trunk before request %i: it stays disabled (${disabled.words})`,
    async (at) => {
      const { changed, after } = await judgedAround(editingAt(at, TRUNK, { status: 'disabled' }));
      expect(after[SETTINGS.PCS_TRUNK_ID]).toMatchObject({ name: 'Main trunk', status: 'disabled' });
      expect(changed).toEqual([expect.stringMatching(/^trunk \S+: status was changed by another editor/)]);
    },
  );

  const edited = sampled([within(410), within(683), lookAt('updateVoiceApplication/restore')], 4);

  test.each(edited.items)(`changes the application before request %i: so it stays (${edited.words})`, async (at) => {
    const { changed, after } = await judgedAround(editingAt(at, APPLICATION, { caller_id: '+15005550111' }));
    expect(after[SETTINGS.PCS_VOICE_APPLICATION_ID]).toMatchObject({ name: 'Front desk', caller_id: '+15005550111' });
    expect(changed).toEqual([expect.stringMatching(/^voice application \S+: caller_id was changed by another/)]);
  });

  test('assigns the number, and the run does so again: it goes back to where the other editor put it', async () => {
    const { changed, after } = await judgedAround(editingAt(within(683), NUMBER, { carrier_connection_id: SPARE }));
    expect(after[SETTINGS.PCS_NUMBER_ID]).toMatchObject({ carrier_connection_id: SPARE });
    expect(changed).toEqual([expect.stringMatching(/^number \S+ was assigned by another editor during the run; that/)]);
  });

  const lasts = sampled(
    [
      ['trunk', 'updateTrunk', TRUNK, { name: EDITED }, SETTINGS.PCS_TRUNK_ID],
      ['voice application', 'updateVoiceApplication', APPLICATION, { name: EDITED }, SETTINGS.PCS_VOICE_APPLICATION_ID],
      ['number', 'assignNumber', NUMBER, { carrier_connection_id: SPARE }, SETTINGS.PCS_NUMBER_ID],
    ] as const,
    3,
  );

  test.each(lasts.items)(
    `changes the %s before the last look at it: it is left alone and named (${lasts.words})`,
    async (what, operation, path, json, id) => {
      const { changed, after, waited } = await judgedAround(editingAt(lookAt(`${operation}/restore`), path, json));
      expect(after[id]).toMatchObject(json);
      expect(changed).toEqual([expect.stringMatching(new RegExp(`^${what} .*by another editor during the run`))]);
      expect(waited).toBe(3_000);
    },
  );
});

describe('a lawful target', () => {
  const looked = sampled([3, 2, 1], 4);

  test.each(looked.items)(
    `that shows an old value to %i looks has its trunk restored (${looked.words})`,
    async (stale) => {
      let looks = 0;
      const { changed, changedIds, waited } = await judgedAround(async (request, next, count) => {
        const reply = await next();
        if (count < lookAt('updateTrunk/restore') || request.method !== 'GET' || request.target !== TRUNK) return reply;
        looks += 1;
        return looks > stale
          ? reply
          : { ...reply, body: String(reply.body).replace(/"name":"[^"]*"/, `"name":"${EDITED}"`) };
      });
      expect([changed, changedIds, waited]).toEqual([[], [], stale * 1_000]);
    },
  );

  const ways = sampled<readonly [string, (name: string) => string]>(
    [
      ['in lower case', (name) => name.toLowerCase()],
      ['cut to 20 characters', (name) => name.slice(0, 20)],
      ['without control characters', (name) => name.replace(/[^ -~]/g, '').trim()],
    ],
    4,
  );

  test.each(ways.items)(`that stores names %s is no other editor (${ways.words})`, async (_, stored) => {
    const { changed } = await judgedAround(async (request, next, _count, { inspect }) => {
      const reply = await next();
      const name = inspect().trunkNames[SETTINGS.PCS_TRUNK_ID] ?? '';
      if (request.method !== 'GET' || !request.target.startsWith('/v1/trunks/') || name === 'Main trunk') return reply;
      const text = String(reply.body).replace(JSON.stringify(name), JSON.stringify(stored(name)));
      return { ...reply, body: text };
    });
    expect(changed.filter((sentence) => sentence.includes('another editor'))).toEqual([]);
  });
});

const UPDATES = [
  ['trunk', TRUNK, SETTINGS.PCS_TRUNK_ID],
  ['voice application', APPLICATION, SETTINGS.PCS_VOICE_APPLICATION_ID],
  ['number', NUMBER, SETTINGS.PCS_NUMBER_ID],
  ['carrier connection', `/v1/carrier-connections/${SETTINGS.PCS_CARRIER_CONNECTION_ID}/inbound-auth`, ''],
] as const;

const answered = (status: number): ServiceReply => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Location', '/elsewhere'],
  ],
  body: JSON.stringify({ success: false, error: { code: 'no', message: 'No.' } }),
});

/** Each with both statuses, which take turns in being first. */
const ANSWERED = sampled(
  UPDATES.flatMap(([what, path], at) =>
    (at % 2 === 0 ? [307, 409] : [409, 307]).map((status) => ({ what, path, status })),
  ),
  2,
);

describe(`updates that are carried out (${ANSWERED.words})`, () => {
  test.each(ANSWERED.items)(
    'and answered $status, of the $what, are restored, or named',
    async ({ what, path, status }) => {
      const { changed, changedIds } = await judgedAround(async (request, next) => {
        const reply = await next();
        const isOurs = request.method !== 'GET' && request.target === path && request.body.length > 2;
        return isOurs && reply.status < 300 ? answered(status) : reply;
      });
      if (changedIds.length > 0) expect(changed).toContainEqual(expect.stringMatching(new RegExp(`^${what} `)));
    },
  );
});
