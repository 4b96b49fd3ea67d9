/** Lawful responses that look like violations. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { ReferenceSettings } from '../../../fixtures/service/settings.ts';
import type { ServiceReply, ServiceRequest } from '../../../fixtures/service/types.ts';
import type { RunOptions } from '../../../src/run/options.ts';
import { narrowed, sampled } from '../../sampled.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { brokenIn, casesOf } from '../../selftest/judged.ts';

type Change = (request: ServiceRequest, reply: ServiceReply, settings: ReferenceSettings) => ServiceReply;

/** What acts on calls, whatever their state. */
const ACTING = narrowed(
  'SUCCESS-STATUS',
  'ACTION-WITHOUT-BODY',
  'UNKNOWN-ID-REFUSED',
  'AUTH-CALL-UNCHANGED',
  'METHOD-SAFE',
);

async function resultsWith(change: Change, isRinging = true, asked: Partial<RunOptions> = ACTING) {
  const { service, settings } = createReference();
  const { ringingCallId, ...options } = optionsFrom(settings, asked);
  const known = isRinging && ringingCallId !== undefined ? { ...options, ringingCallId } : options;
  const changed = async (request: ServiceRequest) => change(request, await service(request), settings);
  return (await judge(changed, known)).results;
}

const isAction = ({ target }: ServiceRequest): boolean => /\/(hangup|answer|mute)$/.test(target);

const stateAs =
  (status: number): Change =>
  (request, reply) =>
    isAction(request) && (reply.status === 409 || reply.status === 404) ? { ...reply, status } : reply;

const LATE = sampled([410, 400, 412, 422, 423], 5);

test.each(LATE.items)(`%i to an action that comes too late (${LATE.words})`, async (status) => {
  const results = await resultsWith(stateAs(status));
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
});

const SILENT = sampled([422, 400], 2);

test.each(SILENT.items)(`%i to the answer of a call that does not ring (${SILENT.words})`, async (status) => {
  const results = await resultsWith(stateAs(status), false);
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
  expect(results.questions.lacking.settings).toEqual(['PCS_RINGING_CALL_ID']);
  const bodyless = casesOf(results).find(({ id }) => id === 'ACTION-WITHOUT-BODY/answerCall');
  expect(bodyless).toMatchObject({
    verdict: 'not-exercised',
    remedy: expect.stringContaining('PCS_RINGING_CALL_ID'),
  });
});

test.each([411, 415])('but %i to an action without a body is a violation', async (status) => {
  const results = await resultsWith(stateAs(status), false);
  expect(brokenIn(results)).toContain('ACTION-WITHOUT-BODY');
});

test('a provider that serves two organizations stands in the lists of both', async () => {
  const results = await resultsWith(
    (request, reply, settings) => {
      const isList = request.method === 'GET' && /^\/v1\/(trunks|numbers)\/$/.test(request.target);
      if (!isList || reply.status !== 200) return reply;
      const body = JSON.stringify({ of: settings.PCS_CARRIER_PROVIDER_ID, data: JSON.parse(String(reply.body)) });
      return { ...reply, headers: reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length'), body };
    },
    true,
    narrowed('ORG-ISOLATION', 'LIST-STATUS'),
  );
  expect([results.verdict, brokenIn(results)]).toEqual(['conformant', []]);
});
