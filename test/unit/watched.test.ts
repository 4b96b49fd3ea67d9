/** Whether a fault showed: only then is it the suite's to find. */

import { describe, expect, test } from 'vitest';
import { FAULTS, type Fault } from '../../fixtures/faults/index.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { watched } from '../selftest/watched.ts';

const REPLY: ServiceReply = { status: 200, headers: [['Content-Type', 'application/json']], body: '{"a":1}' };
const REQUEST: ServiceRequest = { method: 'GET', target: '/v1/trunks/', headers: {}, body: new Uint8Array() };
const [ANY] = FAULTS;

async function showed(inject: Fault['inject'], reply: ServiceReply = REPLY): Promise<boolean> {
  if (ANY === undefined) throw new Error('there is no fault');
  const spy = watched({ ...ANY, inject });
  const service = spy.inject(async () => reply, {} as Parameters<Fault['inject']>[1]);
  await Promise.all([service(REQUEST), service({ ...REQUEST })]);
  return spy.shown().length > 0;
}

const doingFirst: Fault['inject'] = (service) => async (request) => {
  await service({ ...request });
  return service(request);
};

const hearing: Fault['inject'] = (service) => (request) => service({ ...request, target: '/v1/numbers/' });

describe('a watched fault', () => {
  test('has not shown as long as requests and replies go through as they are', async () => {
    expect(await showed((service) => service)).toBe(false);
    expect(await showed((service) => async (request) => ({ ...(await service(request)) }))).toBe(false);
    expect(
      await showed((service) => async (request) => ({ ...(await service(request)), body: Buffer.from('{"a":1}') })),
    ).toBe(false);
  });

  test.each<readonly [string, Fault['inject']]>([
    ['says something else', (service) => async (request) => ({ ...(await service(request)), status: 201 })],
    ['hears something else', hearing],
    ['answers by itself', (): Service => async () => REPLY],
    ['does something first', doingFirst],
  ])('has shown once it %s', async (_, inject) => {
    expect(await showed(inject)).toBe(true);
  });

  test('has not shown where the service rejects what it does first', async () => {
    expect(await showed(doingFirst, { ...REPLY, status: 403 })).toBe(false);
    expect(await showed(hearing, { ...REPLY, status: 403 })).toBe(true);
  });

  test('has not shown where the service sends everybody away for now', async () => {
    expect(await showed(hearing, { ...REPLY, status: 503 })).toBe(false);
    expect(await showed(hearing, { ...REPLY, status: 500 })).toBe(true);
    expect(await showed(doingFirst, { ...REPLY, status: 503 })).toBe(false);
    expect(await showed(doingFirst, { ...REPLY, status: 500 })).toBe(true);
  });
});
