/** What is settled where it is sent costs no more than it has to, and is told from what a gateway does. */

import { expect, test } from 'vitest';
import { rejected } from '../../fixtures/faults/replies.ts';
import type { Gateway } from '../../fixtures/gateways/gateways.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply } from '../../fixtures/service/types.ts';
import { inLongAlone, narrowed } from '../sampled.ts';
import { judge, optionsFrom, skippingClock } from '../selftest/harness.ts';
import { brokenIn, casesOf } from '../selftest/judged.ts';
import { comesOutTheSame } from './again.ts';
import { judgeBehind } from './gateways.ts';

/** An error as axum, Hono, Express, Flask and FastAPI write it unless they are told otherwise: a line of text. */
const asText = (reply: ServiceReply): ServiceReply =>
  reply.status < 400
    ? reply
    : { status: reply.status, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: 'Not like that' };

inLongAlone('a service whose errors are text is asked little more than one whose errors are JSON', async () => {
  const { service, settings } = createReference();
  const clock = skippingClock();
  const text: Service = async (request) => asText(await service(request));
  const { record, results } = await judge(text, optionsFrom(settings), clock);
  expect(brokenIn(results)).toEqual(expect.arrayContaining(['ERROR-ENVELOPE', 'JSON-SYNTAX', 'JSON-LABEL']));
  const envelope = casesOf(results).filter(({ id }) => id.startsWith('ERROR-ENVELOPE/'));
  expect(envelope.map(({ verdict }) => verdict)).toEqual(Array(13).fill('fail'));
  // It had been 1,821, 602 of them repetitions. A page that came four times is believed for its operation.
  const again = record.exchanges.filter(({ tag }) => tag.replaces !== undefined || tag.role === 'health-check');
  expect([record.exchanges.length, again.length]).toEqual([1049, 26]);
  await comesOutTheSame(record);
});

test('a 401 that a gateway keeps for everybody for a moment is not waited for as a lock-out', async () => {
  const keeping: Gateway = ({ now }) => {
    const kept = new Map<string, { readonly until: number; readonly reply: ServiceReply }>();
    return (service) => async (request) => {
      const known = kept.get(request.target);
      if (request.method === 'GET' && known !== undefined && now() < known.until) return known.reply;
      const reply = await service(request);
      if (request.method === 'GET' && reply.status === 401) kept.set(request.target, { until: now() + 1_500, reply });
      return reply;
    };
  };
  const { seconds, record } = await judgeBehind({
    gateways: [keeping],
    changes: narrowed('AUTH-SECRET', 'AUTH-SCHEME', 'SUCCESS-STATUS'),
  });
  // It had been 153 seconds.
  expect(seconds).toBeLessThan(30);
  await comesOutTheSame(record);
});

test('where create call fails for one value, valid calls in between keep the run going', async () => {
  const { service, settings, inspect } = createReference();
  const clock = skippingClock();
  const failing: Service = async (request) => {
    const isCall = request.method === 'POST' && request.target === '/v1/calls/';
    const isOdd = isCall && /"privacy":\s*"/.test(new TextDecoder().decode(request.body));
    return isOdd ? rejected(500) : service(request);
  };
  const options = optionsFrom(settings, narrowed('CALL-CREATE-FIELD-TYPES', 'NO-SERVER-ERROR/createCall'));
  const { record, results } = await judge(failing, options, clock);
  const open = casesOf(results).filter(({ id, verdict }) => id.endsWith('/createCall') && verdict === 'inconclusive');
  expect([brokenIn(results), open.map(({ id }) => id)]).toEqual([['CALL-CREATE-FIELD-TYPES', 'NO-SERVER-ERROR'], []]);
  expect(record.possiblyOpen.length).toBeLessThanOrEqual(4);
  expect(inspect().callsOpen).toBe(0);
});

test.each<readonly [string, ServiceReply]>([
  ['JSON', rejected(500)],
  ['a page', { status: 500, headers: [['Content-Type', 'text/html']], body: '<html>Internal Server Error</html>' }],
])('a 500 in %s to two credentials is waited for on two operations at most, and named on each', async (_, reply) => {
  const { service, settings } = createReference();
  const isOdd = ({ headers: { authorization = '' } }: Parameters<Service>[0]): boolean =>
    / x\.\.$|^NotBearer/.test(authorization) || authorization === settings.PCS_ACCESS_TOKEN;
  const failing: Service = async (request) => (isOdd(request) ? reply : service(request));
  const { record, results } = await judge(
    failing,
    optionsFrom(settings, narrowed('NO-SERVER-ERROR', 'AUTH-SECRET', 'AUTH-SCHEME')),
  );
  const crashed = casesOf(results).filter(({ id }) => id.startsWith('NO-SERVER-ERROR/'));
  expect(crashed.map(({ verdict }) => verdict)).toEqual(Array(13).fill('fail'));
  const waits = (record.waits ?? []).filter(({ reason }) => reason === 'symptom');
  // Pages had cost 256 seconds, 21 on each operation and 4 on create call.
  expect(waits.map(({ seconds }) => seconds)).toEqual([21, 4]);
});
