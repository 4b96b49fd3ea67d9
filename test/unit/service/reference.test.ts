/** The reference service: the suite itself judges its answers, and here is what no request can see. */

import { describe, expect, test } from 'vitest';
import { createReference, type Reference } from '../../../fixtures/service/reference.ts';
import { OPERATION_IDS, operationById, pathOf } from '../../../src/contract/operations.ts';
import { questionsSentence } from '../../../src/verdict/sentence.ts';
import { allAnswered } from '../../planned.ts';
import { judge, optionsFrom } from '../../selftest/harness.ts';
import { type Answer, type Asking, ask, call, envelopeOf, idOfKind, STRANGER, state } from './caller.ts';

const { PCS_ACCESS_TOKEN: TOKEN, PCS_TRUNK_ID: TRUNK } = createReference().settings;
const idOf = ({ json }: Answer): string => (json as { data: { call: { id: string } } }).data.call.id;
const create = async (reference: Reference): Promise<string> => idOf(await call(reference, 'createCall'));

test('is conformant, and every question about it is answered', async () => {
  const { service, settings } = createReference();
  const options = optionsFrom(settings);
  const { results } = await judge(service, options);
  expect([results.verdict, questionsSentence(results.questions)]).toEqual(['conformant', allAnswered(options)]);
});

describe.each(OPERATION_IDS)('%s', (id) => {
  const { method, resources, body } = operationById(id);
  const { settings } = createReference();

  const rejected: readonly (readonly [string, Asking, number])[] = [
    ['no credential', { token: null }, 401],
    ['a truncated credential', { token: settings.PCS_ACCESS_TOKEN.slice(0, -1) }, 401],
    ['a revoked credential', { token: settings.PCS_REVOKED_ACCESS_TOKEN }, 401],
    ...(resources.length > 0 ? [['an unknown id', { ids: resources.map(() => STRANGER) }, 404] as const] : []),
    ...(body !== null ? [['a body that is no object', { body: [] }, 400] as const] : []),
    ...(body !== null ? [['64 KiB', { body: { filler: 'x'.repeat(65_536) } }, 413] as const] : []),
  ];
  test.each(rejected)('changes nothing where it rejects %s', async (_, asking, status) => {
    const reference = createReference();
    const before = state(reference);
    const answer = await call(reference, id, asking);
    expect([answer.status, envelopeOf(answer).success]).toEqual([status, false]);
    expect(state(reference)).toEqual(before);
  });

  test('answers another method with 405, Allow and the envelope', async () => {
    const reference = createReference();
    const ids = resources.map((kind) => idOfKind(reference, kind));
    const answer = await ask(reference, 'DELETE', pathOf(operationById(id), ids));
    expect([answer.status, envelopeOf(answer).error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers['allow']?.split(', ')).toContain(method);
  });

  test('answers 503 with the envelope while a dependency is unavailable', async () => {
    const reference = createReference({ unavailable: (operation) => operation === id });
    const before = state(reference);
    const answer = await call(reference, id);
    expect([answer.status, envelopeOf(answer).error.code]).toEqual([503, 'unavailable']);
    expect(state(reference)).toEqual(before);
  });
});

// A target may decide these as it likes, so the suite does not ask for them.
test.each<[string, Asking, number]>([
  ['the scheme in another letter case', { token: null, headers: { authorization: `bEARER ${TOKEN}` } }, 200],
  ['a charset and another letter case', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, 200],
  ['a byte order mark', { body: '\uFEFF{"name":"a"}' }, 400],
  ['an id in upper case', { ids: [TRUNK.toUpperCase()] }, 200],
])('%s gets its status', async (_, asking, status) => {
  expect((await call(createReference(), 'updateTrunk', asking)).status).toBe(status);
});

describe('calls', () => {
  test('have ids of their own, the same for the same seed', async () => {
    const [one, other] = [createReference({ seed: 7 }), createReference({ seed: 7 })];
    const ids = [await create(one), await create(one)];
    expect(new Set(ids).size).toBe(2);
    expect([await create(other), await create(other)]).toEqual(ids);
    expect(await create(createReference({ seed: 8 }))).not.toBe(ids[0]);
  });

  test('are answered once where they are inbound, hung up once, and counted', async () => {
    const reference = createReference();
    const ids = [await create(reference)];
    const statuses = async (id: 'answerCall' | 'hangUpCall', asking: Asking = {}) =>
      [await call(reference, id, asking), await call(reference, id, asking)].map(({ status }) => status);
    expect(await statuses('answerCall', { ids })).toEqual([409, 409]);
    expect(reference.inspect()).toMatchObject({ callsAccepted: 1, callsOpen: 1 });
    expect(await statuses('hangUpCall', { ids })).toEqual([200, 409]);
    expect(await statuses('answerCall')).toEqual([200, 409]);
    expect(await statuses('hangUpCall')).toEqual([200, 409]);
    expect(reference.inspect()).toMatchObject({ callsAccepted: 1, callsOpen: 0 });
  });

  test('ring in the requested number, and one more on request', async () => {
    const reference = createReference({ ringingCalls: 2 });
    expect(reference.inspect().calls.map(({ status }) => status)).toEqual(['ringing', 'ringing']);
    expect((await call(reference, 'answerCall', { ids: [reference.ring()] })).status).toBe(200);
    expect(createReference({ ringingCalls: 0 }).settings).not.toHaveProperty('PCS_RINGING_CALL_ID');
  });
});

test('an inspection counts requests by operation and names each with its status', async () => {
  const reference = createReference();
  await call(reference, 'getTrunk');
  await call(reference, 'getTrunk', { token: null });
  await ask(reference, 'GET', '/elsewhere');
  const target = `/v1/trunks/${reference.settings.PCS_TRUNK_ID}`;
  const { requests, counts, writes } = reference.inspect();
  expect(requests).toEqual([
    { operation: 'getTrunk', method: 'GET', target, status: 200 },
    { operation: 'getTrunk', method: 'GET', target, status: 401 },
    { operation: null, method: 'GET', target: '/elsewhere', status: 404 },
  ]);
  expect([counts.getTrunk, counts.createCall, writes]).toEqual([2, 0, 0]);
});

test('credentials and secrets are obviously fake, long and of both letter cases', () => {
  const { settings } = createReference();
  const { PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN, PCS_REVOKED_ACCESS_TOKEN } = settings;
  const tokens = [PCS_ACCESS_TOKEN, PCS_OTHER_ORG_ACCESS_TOKEN, PCS_REVOKED_ACCESS_TOKEN];
  for (const token of tokens) expect(token).toMatch(/^pcs_org_Fake(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9]{20,}$/);
  expect(new Set(tokens).size).toBe(3);
  expect(createReference().settings).toEqual(settings);
  expect(createReference({ seed: 2 }).settings.PCS_ACCESS_TOKEN).not.toBe(PCS_ACCESS_TOKEN);
});
