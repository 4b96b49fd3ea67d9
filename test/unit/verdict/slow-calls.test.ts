/** Calls that a hang-up does not find for a moment are still ended. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { ServiceRequest } from '../../../fixtures/service/types.ts';
import type { RunRecord } from '../../../src/verdict/record.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';

const ERROR = JSON.stringify({ success: false, error: { code: 'state', message: 'Not just now.' } });

/** The reference service, refusing the first `times` hang-ups of each call that `when` is about, and the calls it ended. */
async function judgedWith(status: number, times: number, when: (call: string, ringing: string) => boolean) {
  const { service, settings } = createReference();
  const options = optionsFrom(settings);
  const tries = new Map<string, number>();
  const ended = new Set<string>();
  const hearing = async (request: ServiceRequest) => {
    const [, call] = /^\/v1\/calls\/([^/]+)\/hangup$/.exec(request.target) ?? [];
    const isGood = request.headers['authorization'] === `Bearer ${options.credentials.access}`;
    if (call === undefined || !isGood || !when(call, String(options.ringingCallId))) return service(request);
    const count = (tries.get(call) ?? 0) + 1;
    tries.set(call, count);
    if (count <= times) return { status, headers: [['Content-Type', 'application/json'] as const], body: ERROR };
    const reply = await service(request);
    if (reply.status < 300) ended.add(call);
    return reply;
  };
  const { record, results } = await judge(hearing, options);
  return { record, results, ended, options };
}

const isCreated = ({ tag, request, response }: RunRecord['exchanges'][number]): boolean =>
  tag.operation === 'createCall' && request.credential === 'valid' && response?.status === 201;

test.each([404, 409])('a call that is answered %i while it is set up is hung up', async (status) => {
  const { record, results, ended } = await judgedWith(status, 2, (call, ringing) => call !== ringing);
  expect(ended.size).toBe(record.exchanges.filter(isCreated).length);
  expect(record.possiblyOpen).toEqual([]);
  expect(results.verdict).toBe('conformant');
});

test.each([403, 500])('and is named where it still gets %i at the end', async (status) => {
  const isRinging = (call: string, ringing: string) => call === ringing;
  const { options, results } = await judgedWith(status, 1_000, isRinging);
  const [sentence, ...others] = results.possiblyOpen;
  expect(others).toEqual([]);
  expect(sentence).toMatch(
    new RegExp(`^call ${options.ringingCallId} .*: hanging up got status ${status}: the call may still be open$`),
  );
  expect([results.verdict === 'conformant', results.counts.calls]).toEqual([false, 12]);
});
