/** Create calls go out one at a time, and none while a call is open. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { dialsNothing } from '../../src/client/safety/guard.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

/** Judges the reference service, and counts what was under way while a create call was; `changed` may answer instead. */
async function watched(changed: (service: Service) => Service = (service) => service) {
  const { service, settings, inspect } = createReference();
  const own = changed(service);
  let [underWay, most, beside, whileOpen] = [0, 0, 0, 0];
  const isPlaced = ({ direction, status }: ReturnType<typeof inspect>['calls'][number]): boolean =>
    direction === 'outbound' && status !== 'ended';
  const watching: Service = async (request) => {
    const isCreate = request.method === 'POST' && request.target === '/v1/calls/';
    if (isCreate && underWay > 0) beside += 1;
    if (isCreate && inspect().calls.some(isPlaced)) whileOpen += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    const reply = await own(request);
    underWay -= 1;
    return reply;
  };
  const { record, results } = await judge(watching, optionsFrom(settings, { maxCalls: 24 }));
  await comesOutTheSameToo(record);
  return { most, beside, whileOpen, open: inspect().calls.filter(isPlaced), record, results };
}

const plain = watched();

test('nothing is under way beside a create call, no other call is open, and eight requests at most are sent at once', async () => {
  const { most, beside, whileOpen, results } = await plain;
  expect([most, beside, whileOpen, results.verdict]).toEqual([8, 0, 0, 'conformant']);
});

test('each that is accepted although it names no number is hung up before the next call', async () => {
  const { beside, whileOpen, open, record, results } = await watched((service) => async (request) => {
    if (request.method !== 'POST' || request.target !== '/v1/calls/') return service(request);
    const isValid = request.headers['authorization'] !== undefined;
    if (!isValid || !dialsNothing(Buffer.from(request.body))) return service(request);
    const numbers = { from: '+15005550006', to: '+15005550010' };
    return service({ ...request, body: Buffer.from(JSON.stringify(numbers)) });
  });
  expect({ beside, whileOpen, open }).toEqual({ beside: 0, whileOpen: 0, open: [] });
  expect(record.possiblyOpen).toEqual([]);
  expect([results.verdict, record.calls <= 24]).toEqual(['non-conformant', true]);
});

test('what a target can place that dials although it rejects is limited by the plan', async () => {
  const { record } = await plain;
  const creates = record.exchanges.filter(({ tag }) => tag.operation === 'createCall');
  const rejected = creates.filter(({ response }) => response !== null && response.status >= 400);
  const harmless = rejected.filter(({ request: { body } }) => dialsNothing(body && Buffer.from(body.text ?? 'unread')));
  // docs/data-protection.md says some 110.
  expect(rejected.length - harmless.length).toBeLessThanOrEqual(110);
  expect(harmless.length).toBeGreaterThan(8);
});
