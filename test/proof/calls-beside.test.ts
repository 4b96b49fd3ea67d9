/** Create calls that can dial nothing go out side by side; all others hold the one slot. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import { dialsNothing } from '../../src/client/safety/dial-guard.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';
import { comesOutTheSameToo } from './again.ts';

/** Judges the reference service, and counts what was under way while a create call was; `changed` may answer instead. */
async function watched(changed: (service: Service) => Service = (service) => service) {
  const { service, settings, inspect } = createReference();
  const own = changed(service);
  const underWay: boolean[] = [];
  let [most, mixed, whileOpen] = [0, 0, 0];
  const watching: Service = async (request) => {
    if (request.method !== 'POST' || request.target !== '/v1/calls/') return own(request);
    const isHarmless = dialsNothing(Buffer.from(request.body));
    underWay.push(isHarmless);
    most = Math.max(most, underWay.length);
    if (underWay.length > 1 && underWay.includes(false)) mixed += 1;
    if (underWay.length > 1 && inspect().callsOpen > 0) whileOpen += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    const reply = await own(request);
    underWay.splice(underWay.indexOf(isHarmless), 1);
    return reply;
  };
  const { record, results } = await judge(watching, optionsFrom(settings, { maxCalls: 24 }));
  await comesOutTheSameToo(record);
  const open = inspect().calls.filter(({ direction, status }) => direction === 'outbound' && status !== 'ended');
  return { most, mixed, whileOpen, open, record, results };
}

test('only create calls that name no number are under way together, and none while a call is open', async () => {
  const { most, mixed, whileOpen, results } = await watched();
  expect(most).toBeGreaterThan(2);
  expect([mixed, whileOpen, results.verdict]).toEqual([0, 0, 'conformant']);
});

test('each that is accepted all the same is hung up before the next call', async () => {
  const { open, record, results } = await watched((service) => async (request) => {
    if (request.method !== 'POST' || request.target !== '/v1/calls/') return service(request);
    const isValid = request.headers['authorization'] !== undefined;
    if (!isValid || !dialsNothing(Buffer.from(request.body))) return service(request);
    const numbers = { from: '+15005550006', to: '+15005550010' };
    return service({ ...request, body: Buffer.from(JSON.stringify(numbers)) });
  });
  expect(open).toEqual([]);
  expect(record.possiblyOpen).toEqual([]);
  expect([results.verdict, record.calls <= 24]).toEqual(['non-conformant', true]);
});

test('what a target can place that dials although it rejects is limited by the plan', async () => {
  const { record } = await watched();
  const creates = record.exchanges.filter(({ tag }) => tag.operation === 'createCall');
  const rejected = creates.filter(({ response }) => response !== null && response.status >= 400);
  const harmless = rejected.filter(({ request: { body } }) => dialsNothing(body && Buffer.from(body.text ?? 'unread')));
  // docs/data-protection.md and decisions 58 and 60 say so.
  expect(rejected.length - harmless.length).toBeLessThanOrEqual(100);
  expect(harmless.length).toBeGreaterThan(8);
});
