/**
 * A field is restored only where the target still shows what this run wrote. What another editor wrote is left alone and
 * named; a target whose reads lag behind, or that stores values in its own way, is no other editor.
 */

import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../fixtures/service/reference.ts';
import type { ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { durationOf } from '../../src/run/facts.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

const EDITED = 'Renamed by a colleague';
const { settings: SETTINGS } = createReference();
const TRUNK = `/v1/trunks/${SETTINGS.PCS_TRUNK_ID}`;

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
    optionsFrom(reference.settings, narrowed('UPDATE-VISIBLE', 'UPDATE-FIELD-ALONE', 'SUCCESS-STATUS')),
    clock,
  );
  const after = reference.inspect().restorable;
  const changedIds = Object.keys(before).filter((id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]));
  // What the run decided follows from the record.
  await comesOutTheSameToo(record);
  return {
    changed: record.changed,
    after,
    changedIds,
    waited: durationOf(record.exchanges),
    exchanges: record.exchanges,
  };
}

const whole = await judgedAround((_request, next) => next());

/** The number of the request that looks at a resource before it is restored; every run sends the same up to it. */
function lookAt(sequence: string): number {
  const look = whole.exchanges.find(({ tag }) => tag.sequence === sequence);
  expect(look).toBeDefined();
  return look?.seq ?? 0;
}

test('two requests look before anything is restored, and nothing is named', () => {
  const looks = whole.exchanges.filter(({ tag }) => tag.about.endsWith('before it is restored'));
  expect([looks.length, whole.changed, whole.changedIds, whole.waited]).toEqual([2, [], [], 0]);
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

  test.each([
    ['with an id', { id: 'job-77', status: 'queued', name: 'job-1' }],
    ['without one', { status: 'queued', name: 'job-1' }],
  ])('that answers an update with a job %s does not get its name', async (_, job) => {
    const { changed, after } = await judgedAround(async (request, next) => {
      const reply = await next();
      return request.method === 'PATCH' && reply.status === 200 ? { ...reply, body: JSON.stringify(job) } : reply;
    });
    const names = Object.values(after).map((record) => Object(record).name);
    expect([names.includes('job-1'), changed]).toEqual([
      false,
      [expect.stringContaining('name, ring_timeout_seconds, caller_id, voice_url and callback_url were written')],
    ]);
  });
});
