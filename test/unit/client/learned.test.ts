/** What the engine learns from the answer to a create call. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { learn } from '../../../src/client/learned.ts';
import type { SuiteRequest } from '../../../src/client/request.ts';
import { IdRegister } from '../../../src/client/safety/id-register.ts';
import type { Header } from '../../../src/exchange/message.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { sampled } from '../../sampled.ts';
import { outcomeOf } from './create-request.ts';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const SECRET = 'pcs_org_Fake0123456789abcdef';
const redactor = new Redactor([{ kind: 'credential', label: 'credential', value: SECRET }]);

interface Given {
  readonly status: number;
  readonly body?: string;
  readonly headers?: readonly Header[];
  readonly seen?: readonly string[];
  readonly operation?: SuiteRequest['operation'];
  readonly path?: string;
}

function learned({ status, body = '', headers = [], seen = [], operation = 'createCall', path = '/v1/calls/' }: Given) {
  const request = { operation, method: path === '/v1/calls/' ? 'POST' : 'GET', path } as SuiteRequest;
  const outcome = { kind: 'answer', status, headers, body: Buffer.from(body), cut: false } as const;
  return learn(request, outcome, {
    resources: {},
    recorder: { redactor },
    known: (id) => (seen.includes(id) ? 'seen' : 'new'),
  });
}

test.each<[string, Given, object]>([
  [
    'an operation without a name',
    { status: 201, body: `{"id":"${ID}"}`, operation: null },
    { create: 'placed', callIds: [ID] },
  ],
  ['a secret in place of an id', { status: 201, body: `{"id":"${SECRET}"}` }, { create: 'unclear' }],
])('%s', (_, given, expected) => {
  expect(learned(given)).toEqual(expected);
});

test('the record alone says what a create call came to', () => {
  expect(outcomeOf({ status: 400, learned: { create: 'rejected' } })).toEqual({ kind: 'rejected' });
  expect(outcomeOf({ status: 303, learned: { create: 'placed', callIds: ['a', 'b'] } })).toEqual({
    kind: 'placed',
    ids: ['a', 'b'],
  });
  expect(outcomeOf({ status: 503, learned: { create: 'rejected' } })).toEqual({ kind: 'put off' });
  const unclear = (status: number | null, detail: string) => ({ kind: 'unclear', status, detail });
  const idIn = 'header:Resource-ID';
  expect(outcomeOf({ status: 201, learned: { create: 'unclear', idIn } })).toEqual({
    ...unclear(201, 'status 201 and no call id'),
    idIn,
  });
  expect(outcomeOf({ status: 400 })).toEqual(unclear(400, 'status 400 and no call id'));
  expect(outcomeOf(null, { kind: 'refused', detail: 'no' })).toEqual({ kind: 'unsent' });
  expect(outcomeOf(null, { kind: 'reset', detail: 'why' })).toEqual(unclear(null, 'no complete response (why)'));
});

/** Bytes that are still held once everything unreachable is collected. */
async function held(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

const MARK = 'pcs-conformance 0123abcd';
const LONG = '. '.repeat(120_000);
const LEARNED = sampled<[string, string, string, Pick<Given, 'operation' | 'path'>]>(
  [
    ['a mark of another run', `${LONG}${MARK}`, MARK, { operation: 'listTrunks', path: '/v1/trunks/' }],
    ['the id of a call', JSON.stringify({ id: ID, text: LONG }), ID, {}],
  ],
  2,
);

test.each(LEARNED.items)(
  `what is learned of %s does not keep the answer in memory (${LEARNED.words})`,
  async (_, body, shown, place) => {
    const before = await held();
    const answers = Array.from({ length: 120 }, () => learned({ status: 200, body, ...place }));
    expect((await held()) - before).toBeLessThan(20_000_000);
    expect(JSON.stringify(answers)).toContain(shown);
  },
);

test('an id is known before if a call of the run has it, or an answer showed it', () => {
  const register = new IdRegister(new Map([['trunk', [ID]]]));
  register.addCall('17');
  const other = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
  const isKnown = (id: string): boolean => register.knownBefore(id, { headers: [], body: null }) !== 'new';
  register.sawInAnswer(`{"id":18,"trunk_id":"${other}"}`);
  expect(['17', ID, other.toUpperCase()].map(isKnown)).toEqual([true, true, true]);
  // A trunk of this number says nothing about a call of this number.
  expect(['18', '3f333df6-90a4-4fda-8dd3-9485d27cee36'].map(isKnown)).toEqual([false, false]);
});
