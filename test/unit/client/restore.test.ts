/** A restore that finds a lock is tried again. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { ServiceRequest } from '../../../fixtures/service/types.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

const LOCKED = JSON.stringify({ success: false, error: { code: 'locked', message: 'An update is under way.' } });

/** Rejects the restore of the inbound authentication that many times, and counts its requests. */
async function judgedWith(status: number, times: number) {
  const { service, settings } = createReference();
  const inbound = { username: 'old', realm: 'old.example.com', secret: 'the secret that was there' };
  let tries = 0;
  const locking = async (request: ServiceRequest) => {
    const isRestore = request.method === 'PATCH' || request.method === 'PUT' || request.method === 'POST';
    if (!isRestore || !Buffer.from(request.body).includes(inbound.secret)) return service(request);
    tries += 1;
    if (tries > times) return service(request);
    return { status, headers: [['Content-Type', 'application/json'] as const], body: LOCKED };
  };
  const { record } = await judge(locking, { ...optionsFrom(settings), inbound });
  return { tries, changed: record.changed.filter((sentence) => sentence.includes('inbound credential')) };
}

test.each([409, 423])('a lock (%i) that is soon released is waited for', async (status) => {
  expect(await judgedWith(status, 2)).toEqual({ tries: 3, changed: [] });
});

test('a lock that stays is given up, and the change is named', async () => {
  const { tries, changed } = await judgedWith(409, 1_000);
  expect([tries, changed.length]).toEqual([4, 1]);
});

test('any other rejection is final', async () => {
  expect((await judgedWith(400, 1_000)).tries).toBe(1);
});
