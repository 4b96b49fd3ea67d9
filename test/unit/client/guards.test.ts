/** What a guard blocks never leaves: each decision of a guard becomes an error that stops the request. */

import { describe, expect, test } from 'vitest';
import { GuardRefusal, Skipped, type SuiteRequest } from '../../../src/client/request.ts';
import { Admission, guard } from '../../../src/client/safety/guard.ts';
import { create, dialling, NO_IDS, NUMBERS } from './create-request.ts';
import { CONNECTION, RANDOM, register, TRUNK } from './id-samples.ts';

/** What a function throws, or `null`. */
function thrown(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

describe('a request', () => {
  const guarded = (method: string, below: string, body: string | null = null, ids = register()) => {
    const request = { ...create(body), method, path: below };
    const ours = { numbers: NUMBERS, ids: NO_IDS };
    const context = { ours, ofOthers: ours, register: ids };
    return thrown(() => guard(request, 'valid', context));
  };

  test('that both guards allow leaves', () => {
    expect(guarded('PATCH', `/v1/trunks/${TRUNK}`)).toBeNull();
    expect(guarded('POST', '/v1/calls/', dialling('}'))).toBeNull();
  });

  test('that one of them blocks does not leave', () => {
    const blocked = [
      guarded('PATCH', `/v1/trunks/${CONNECTION}`),
      guarded('POST', '/v1/calls/', '{"to":"+15005550011"}'),
    ] as Error[];
    expect(blocked.map((one) => one instanceof GuardRefusal)).toEqual([true, true]);
    expect(blocked[0]?.message).toContain('(foreign-id-in-path)');
    expect(blocked[1]?.message).toContain('(create-to)');
  });

  test('of the other organization may name its own caller and trunk, and no other request may', () => {
    const caller = 'sip:others@example.com;transport=tls';
    const ours = { numbers: NUMBERS, ids: NO_IDS };
    const ofOthers = { numbers: { ...NUMBERS, callers: [caller] }, ids: { application: [], trunk: [RANDOM] } };
    const body = `{"from":"${caller}","to":"${NUMBERS.to}","trunk_id":"${RANDOM}"}`;
    const sent = (credential: SuiteRequest['credential']) => {
      const context = { ours, ofOthers, register: register() };
      return thrown(() => guard(create(body), credential, context));
    };
    expect(sent('other-organization')).toBeNull();
    expect(sent('valid')).toMatchObject({ message: expect.stringContaining('(create-from)') });
    expect(sent('none')).toBeInstanceOf(GuardRefusal);
  });

  test('to a made-up id that the target claims is skipped', () => {
    const ids = register();
    ids.sawInAnswer(`{"id":"${RANDOM}"}`);
    const error = guarded('PATCH', `/v1/trunks/${RANDOM}`, null, ids);
    expect(error).toBeInstanceOf(Skipped);
    expect(error).toMatchObject({ skip: { why: 'claimed' } });
  });
});

describe('before the target is admitted', () => {
  const write = { method: 'PATCH', role: 'control' } as SuiteRequest;

  test('a request is stopped for the first reason for which the run ended', () => {
    const admission = new Admission();
    expect(admission.stopped).toBeNull();
    admission.stop('the first reason');
    admission.stop('another');
    expect(admission.stopped).toBe('the first reason');
    const error = thrown(() => admission.demand(write));
    expect(error).toMatchObject({ message: 'the first reason', skip: { why: 'stopped' } });
  });

  test('a request is stopped because nothing is known of the target', () => {
    expect(thrown(() => new Admission().demand(write))).toMatchObject({
      message: 'no read has shown yet that the target is the service',
    });
  });
});
