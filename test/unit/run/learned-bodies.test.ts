/** What a session learns: the valid bodies with which others are compared, and what is there before the first update. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import type { Answer, SuiteRequest } from '../../../src/client/request.ts';
import type { JsonObject } from '../../../src/generate/json.ts';
import { RequestBuilder } from '../../../src/run/builder.ts';
import { type Course, Session } from '../../../src/run/session.ts';
import { RunState } from '../../../src/run/state.ts';
import { WriteLedger } from '../../../src/run/written.ts';
import { Judgements } from '../../../src/verdict/record.ts';
import { optionsFrom } from '../../selftest/harness.ts';
import { exchangeOf } from '../rules/exchanges.ts';

const ID = 'createCall';
const TEXT = '{"from":"1"}';

/** Whether the body of such a request, which gets that status, is learned as accepted; `undefined` if it is not learned. */
async function learned(change: Partial<SuiteRequest> = {}, status = 201) {
  const builder = new RequestBuilder(optionsFrom(createReference().settings), '', []);
  const state = new RunState();
  const exchange = exchangeOf({ status, tag: { operation: ID } }, 0);
  const client = { send: async () => ({ exchange, status, accepted: status < 300 }) as unknown as Answer };
  const run = { builder, client, state, ledger: new WriteLedger(), judgements: new Judgements() } as unknown as Course;
  const session = new Session(run, { sequence: 's', attempt: 0 });
  await session.send({ ...builder.control(ID, { json: JSON.parse(TEXT) }), ...change });
  return state.isAcceptedBody(ID, TEXT);
}

test('a valid body is learned with its request, accepted or not', async () => {
  expect([await learned(), await learned({}, 422)]).toEqual([true, false]);
});

test.each<readonly [string, isRead: boolean, json: object, Partial<SuiteRequest>, sent: string]>([
  ['a read', true, { name: 'a' }, {}, 'GET PATCH'],
  ['an update that changes nothing, where no read shows it', false, { name: 'a' }, {}, 'GET {} PATCH'],
  ['a look alone, where it changes nothing itself', false, {}, {}, 'GET {}'],
  ['that one all the same, where it has no credential', false, {}, { credential: 'none' }, 'GET {} {}'],
])('before the first update of the application goes %s', async (_, isRead, json, change, order) => {
  const builder = new RequestBuilder(optionsFrom(createReference().settings), '', []);
  const sent: string[] = [];
  const ledger = new WriteLedger();
  const send = async ({ method, body }: SuiteRequest) => {
    sent.push(Buffer.from(body ?? []).toString() === '{}' ? '{}' : method);
    const learned = isRead && method === 'GET' ? { fields: { name: 'a' } } : {};
    const tag = { operation: method === 'GET' ? null : 'updateVoiceApplication' } as const;
    const exchange = exchangeOf({ learned, tag, request: { method } }, 0);
    ledger.learn(exchange);
    return { exchange, status: 200, accepted: true };
  };
  const state = new RunState();
  const run = { builder, client: { send }, state, ledger, judgements: new Judgements() } as unknown as Course;
  const session = new Session(run, { sequence: 's', attempt: 0 });
  await session.send({ ...builder.request('updateVoiceApplication', { json: json as JsonObject }), ...change });
  expect(sent.join(' ')).toBe(order);
});

test.each<readonly [string, readonly number[], boolean, number | null]>([
  ['three equal rejections', [403, 403, 403], true, null],
  ['two', [403, 403], false, null],
  ['three that are about the body', [422, 422, 422], false, null],
  ['three, and a call without it got another', [403, 403, 403], true, 402],
  ['three, and a call without it got the same', [403, 403, 403], false, 403],
])('calls with an id are given up after %s', (_, statuses, isGivenUp, without) => {
  const state = new RunState();
  const learn = (json: object, status: number, at: number): void =>
    state.learnBody(ID, JSON.stringify(json), exchangeOf({ status }, at));
  learn({ from: '1', to: '2' }, 201, 0);
  if (without !== null) learn({ from: '1', to: '3' }, without, 1);
  for (const [at, status] of statuses.entries()) learn({ from: `${at}`, to: '2', trunk_id: 't' }, status, at + 1);
  expect(state.isGivenUp('trunk_id')).toBe(isGivenUp);
});

test.each<readonly [string, Partial<SuiteRequest>]>([
  ['has another label', { contentType: 'text/plain' }],
  ['has no credential', { credential: 'none' }],
  ['is a probe', { control: false }],
  ['has another body', { body: new TextEncoder().encode('{"from":"2"}') }],
  ['belongs to a walk', { origin: { seed: 1, path: '0:1', commands: 1 } }],
])('nothing is learned of a request that %s', async (_, change) => {
  expect(await learned(change)).toBeUndefined();
});

test('the read that shows whether the target is there is of what the run does not write, where one was accepted', () => {
  const state = new RunState();
  state.facts = { healthCheck: 'getTrunk' };
  state.unrestored.add('updateTrunk');
  expect(state.healthCheck).toBe('getTrunk');
  state.accepted.add('searchAvailableNumbers');
  expect(state.healthCheck).toBe('searchAvailableNumbers');
  state.unrestored.clear();
  expect(state.healthCheck).toBe('getTrunk');
});
