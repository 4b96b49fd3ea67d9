/** Remedies, each in a run of the case that it is for; test/long proves them in whole runs. */

import { expect, test } from 'vitest';
import { byBearer, type Comparison } from '../../fixtures/faults/presented.ts';
import { on } from '../../fixtures/faults/visit.ts';
import { ENVELOPE, json } from '../../fixtures/null/replies.ts';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service, ServiceReply, ServiceRequest } from '../../fixtures/service/types.ts';
import { narrowed, sampled } from '../sampled.ts';
import { judge } from '../selftest/harness.ts';
import { casesOf } from '../selftest/judged.ts';
import { OWN, plain, rejecting } from './remedies.ts';
import { proveRemedies } from './remedy-proof.ts';

const CALLS = narrowed('CALL-CREATE-STATUS', 'CALL-CREATE-IDS', 'CALL-CREATE-NULLABLE', 'CALL-CREATE-PRIVACY');
const TOKEN = `Bearer ${OWN.credentials.access}`;

proveRemedies('alone');

test.each([
  [500, 'run again once the target hangs up each call that it places'],
  [401, 'run again once the target hangs up each call that it places'],
  [422, 'check PCS_CALL_TO: a call to it must last until it is hung up'],
])('where each hang-up gets %i, no remedy is to raise --max-calls', async (status, remedy) => {
  const hangsNever = rejecting(status, ({ target }) => target.endsWith('/hangup'));
  const { results } = await judge(hangsNever(), { ...OWN, ...CALLS });
  const remedies = new Set(casesOf(results).map(({ remedy }) => remedy));
  expect([...remedies].filter((remedy) => remedy?.includes('--max-calls'))).toEqual([]);
  const reasons = casesOf(results).map(({ reason }) => reason);
  expect(reasons).toContain('a call could not be hung up, so no more calls are placed');
  expect(remedies).toContain(remedy);
  expect(reasons).not.toContain('the last calls are kept for controls');
});

test('where a rejected answer answers the call, another run shows it as its remedy says', async () => {
  const answersForOthers = (): Service => {
    const service = plain();
    return async (request) => {
      const reply = await service(request);
      const isTheirs = request.headers['authorization'] === `Bearer ${OWN.credentials.otherOrganization}`;
      const answered = { ...request, headers: { ...request.headers, authorization: TOKEN } };
      if (isTheirs && request.target.endsWith('/answer')) await service(answered);
      return reply;
    };
  };
  const open = 'SUCCESS-STATUS/answerCall';
  const ask = async (...only: readonly string[]) => {
    const { results } = await judge(answersForOthers(), { ...OWN, only });
    return casesOf(results).find(({ id }) => id === open);
  };
  const remedy = expect.stringContaining(`run with --only ${open}`);
  expect(await ask('SUCCESS-STATUS', 'ORG-ISOLATION')).toMatchObject({ verdict: 'inconclusive', remedy });
  expect(await ask(open)).toMatchObject({ verdict: 'pass' });
});

test('no setting helps where the state of a call is looked at before the credential', async () => {
  const service = plain();
  let rings = true;
  const stateFirst: Service = async (request) => {
    const isAnswer = request.target.endsWith('/answer');
    if (isAnswer && !(rings && request.target.includes(`${OWN.ringingCallId}`))) return json(409, ENVELOPE);
    const reply = await service(request);
    if (isAnswer && reply.status === 200) rings = false;
    return reply;
  };
  const { results } = await judge(stateFirst, { ...OWN, ...narrowed('SUCCESS-STATUS', 'AUTH-SCHEME') });
  expect(casesOf(results).find(({ id }) => id === 'AUTH-SCHEME/answerCall')).toMatchObject({
    verdict: 'inconclusive',
    remedy: 'let the service check the credential before the state of the call: no setting helps',
  });
});

test('a credential that is taken for ours on an answered call is told from a state that is looked at first', async () => {
  const { service, settings } = createReference();
  const isOurs: Comparison = (presented, credential) => presented.toLowerCase() === credential.toLowerCase();
  const { results } = await judge(byBearer(on('answerCall'), isOurs)(service, settings), {
    ...OWN,
    ...narrowed('SUCCESS-STATUS', 'AUTH-SECRET'),
  });
  expect(casesOf(results).find(({ id }) => id === 'AUTH-SECRET/answerCall')).toMatchObject({
    verdict: 'inconclusive',
    remedy:
      'check how the service compares this credential with the valid one: another invalid one got status 401 in the same state',
  });
});

test('a call that an invalid credential answered is not taken for one that did not ring', async () => {
  const { service, settings } = createReference();
  const { results } = await judge(byBearer(on('answerCall'), () => true)(service, settings), {
    ...OWN,
    ...narrowed('SUCCESS-STATUS', 'ACTION-WITHOUT-BODY', 'AUTH-SECRET', 'AUTH-NO-EFFECT'),
  });
  const cases = casesOf(results);
  expect(cases.find(({ id }) => id === 'AUTH-SECRET/answerCall')?.verdict).toBe('fail');
  for (const id of ['SUCCESS-STATUS/answerCall', 'ACTION-WITHOUT-BODY/answerCall'])
    expect(cases.find((each) => each.id === id)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'status 409 to a valid request, after status 200 to the same with an invalid credential',
      remedy: expect.stringMatching(
        /^let the service reject the invalid credential that it accepted for the same request/,
      ),
    });
});

test('a rule that wants an application or a trunk in each call is told to go', async () => {
  const isBare = ({ target, body }: ServiceRequest): boolean =>
    target === '/v1/calls/' && /"to"(?!.*(?:application|trunk)_id":")/.test(Buffer.from(body).toString());
  const { results } = await judge(rejecting(409, isBare)(), {
    ...OWN,
    ...narrowed('CALL-CREATE-MINIMAL', 'CALL-CREATE-IDS'),
  });
  const { remedy } = casesOf(results).find(({ id }) => id === 'CALL-CREATE-MINIMAL/createCall') ?? {};
  expect(remedy).toBe('let the service accept a call with from and to alone: no setting helps');
});

test('a call that was answered with 502 is not taken for one that did not ring', async () => {
  const service = plain();
  let isFirst = true;
  const broken: Service = async (request) => {
    const reply = await service(request);
    if (reply.status !== 200 || !request.target.endsWith('/answer') || !isFirst) return reply;
    isFirst = false;
    return json(502, ENVELOPE);
  };
  const { results } = await judge(broken, { ...OWN, ...narrowed('SUCCESS-STATUS', 'ACTION-WITHOUT-BODY') });
  const { reason, remedy } = casesOf(results).find(({ id }) => id === 'SUCCESS-STATUS/answerCall') ?? {};
  expect(reason).toBe('status 409 to a valid request, after status 502 to an earlier one');
  expect(remedy).toMatch(
    /^find out why an earlier request got status 502: it may have taken effect, and that works once/,
  );
});

test.each([
  { later: 409, verdict: 'inconclusive', remedy: /^find out why an earlier request got no complete/ },
  { later: 201, verdict: 'pass', remedy: /^undefined$/ },
])('a call that lost its answer is not taken for one that was not placed ($later later)', async (row) => {
  const service = plain();
  let accepted = 0;
  const losing: Service = async (request) => {
    const reply = await service(request);
    if (request.method !== 'POST' || request.target !== '/v1/calls/') return reply;
    if (accepted > 2 && row.later === 409) return json(409, ENVELOPE);
    if (reply.status === 201) accepted += 1;
    return accepted === 3 && reply.status === 201 ? { ...reply, fate: 'reset' } : reply;
  };
  const selected = narrowed('RESPONSE-COMPLETE', 'CALL-CREATE-BODY');
  const cases = casesOf((await judge(losing, { ...OWN, ...selected })).results);
  expect(cases.find(({ id }) => id === 'RESPONSE-COMPLETE/createCall')?.verdict).toBe(row.verdict);
  expect(`${cases.find(({ id }) => id === 'CALL-CREATE-BODY/createCall')?.remedy}`).toMatch(row.remedy);
});

test('a credential that may write nothing is named in the first sentence, once', async () => {
  const readsOnly = rejecting(403, ({ method, headers }) => method !== 'GET' && headers['authorization'] === TOKEN);
  const { results } = await judge(readsOnly(), {
    ...OWN,
    ...narrowed('SUCCESS-STATUS', 'UPDATE-FIELD-ALONE', 'CALL-CREATE-STATUS'),
  });
  expect(results.reason).toMatch(
    /^\d+ cases could not be judged: every write got status 403; to resolve: allow PCS_ACCESS_TOKEN to write, or run with --profile read-only$/,
  );
});

const UNHELPFUL = sampled<readonly [string, () => Service, RegExp]>(
  [
    ['whose calls have no id', () => accepted(json(201, { success: true })), /^have the target show the id of a call/],
    ['whose calls have an id elsewhere', () => accepted(json(201, { ref: 'a' })), /^set PCS_CALL_ID_POINTER to /],
    [
      'whose calls have an id in a header field',
      () => accepted({ ...json(201, {}), headers: [['Resource-ID', 'a']] }),
      /^set PCS_CALL_ID_POINTER to header:Resource-ID/,
    ],
    [
      'that rejects the credential from request 300 on',
      () => expiring(300),
      /^(?:run again once the cause of the early end is fixed|check PCS_ACCESS_TOKEN: it must stay valid)/,
    ],
  ],
  2,
);

test.each(UNHELPFUL.items)(
  `each case that could not be judged has a remedy with a service %s (${UNHELPFUL.words})`,
  async (_, serviceOf, says) => {
    const { results } = await judge(serviceOf(), OWN);
    const open = casesOf(results).filter(({ verdict }) => verdict === 'inconclusive');
    expect(open.length).toBeGreaterThan(20);
    expect(open.filter(({ remedy }) => remedy === undefined || !says.test(remedy))).toEqual([]);
  },
);

/** Answers each accepted create call so. */
function accepted(reply: ServiceReply): Service {
  const service = plain();
  return async (request) => {
    const answer = await service(request);
    const isPlaced =
      /^\/v1\/calls\/?$/.test(request.target) && request.method === 'POST' && (answer?.status ?? 500) < 300;
    return isPlaced ? reply : answer;
  };
}

/** Rejects everything after this many requests. */
function expiring(most: number): Service {
  const service = plain();
  let sent = 0;
  return async (request) => (++sent > most ? json(401, ENVELOPE) : service(request));
}

test('an invalid credential that meets a 503 on the other form of a path leaves a remedy', async () => {
  const { service: inner } = createReference({ policy: { slashForm: 'served' } });
  const service: Service = async (request) => {
    const isOther = new URL(request.target, 'http://service.invalid').pathname.endsWith('/');
    return isOther && request.headers['authorization'] !== TOKEN ? json(503, ENVELOPE) : inner(request);
  };
  const { results } = await judge(service, { ...OWN, ...narrowed('AUTH-ALIAS', 'SUCCESS-STATUS') });
  const open = casesOf(results).filter(({ id, verdict }) => id.startsWith('AUTH-ALIAS/') && verdict === 'inconclusive');
  expect(open.length).toBeGreaterThan(3);
  const helps = /^run again once the target can serve this request(?:; the target says "[^"]+")?$/;
  expect(open.filter(({ remedy }) => !helps.test(remedy ?? ''))).toEqual([]);
});
