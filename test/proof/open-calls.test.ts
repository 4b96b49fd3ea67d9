/** No call stays open behind a hang-up that came too early, or that found the call ended. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';

const enveloped = (status: number): ServiceReply => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ success: false, error: { code: 'no', message: 'no' } }),
});

test('a hang-up that is rejected while the call is set up is tried again', async () => {
  const { service, settings } = createReference();
  const open = new Set<string>();
  const early = new Set<string>();
  let most = 0;
  const settingUp: Service = async (request) => {
    const call = /\/v1\/calls\/(.+)\/hangup$/.exec(request.target)?.[1] ?? '';
    // The first hang-up of an open call comes too early.
    if (open.has(call) && !early.has(call) && request.headers['authorization']?.endsWith(settings.PCS_ACCESS_TOKEN)) {
      early.add(call);
      return enveloped(409);
    }
    const reply = await service(request);
    if (request.target === '/v1/calls/' && reply.status === 201) open.add(JSON.parse(String(reply.body)).data.call.id);
    if (reply.status === 200) open.delete(call);
    most = Math.max(most, open.size);
    return reply;
  };
  const { results, record } = await judge(settingUp, optionsFrom(settings));
  expect([results.verdict, record.possiblyOpen, most, open.size]).toEqual(['conformant', [], 1, 0]);
});

test('a target whose calls end by themselves is soon believed', async () => {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const hangUp = /\/hangup$/;
  const ended: Service = async (request) => {
    const isOurs = hangUp.test(request.target) && !request.target.includes(settings.PCS_RINGING_CALL_ID ?? '?');
    const reply = await service(request);
    return isOurs && reply.status === 200 ? enveloped(409) : reply;
  };
  const { results, record } = await judge(ended, optionsFrom(settings), clock);
  expect([results.verdict, record.possiblyOpen]).toEqual(['conformant', []]);
  // All of them are tried again together, once the youngest is half a minute old.
  expect(clock.now()).toBeLessThan(50_000);
});

test('a call that needs both ids is asked with both, whole or cut', async () => {
  const { service, settings } = createReference();
  const both: Service = async (request) => {
    const text = new TextDecoder().decode(request.body);
    const needs = request.target === '/v1/calls/' && (await service(request)).status === 201;
    return needs && !(/application_id":"/.test(text) && /trunk_id":"/.test(text)) ? enveloped(409) : service(request);
  };
  const { results, record } = await judge(both, optionsFrom(settings));
  expect(record.errors).toEqual([]);
  expect(results.verdict).toBe('incomplete');
});
