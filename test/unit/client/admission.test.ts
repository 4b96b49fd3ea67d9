/** What a client lets out: before the target is admitted a first read alone, and later no write to an id that a list shows. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { Skipped, type SuiteRequest } from '../../../src/client/request.ts';
import type { Header, WireRequest } from '../../../src/exchange/message.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { clientOf } from '../../../src/run/run-client.ts';
import { plannerFor } from '../../../suites/index.ts';
import { optionsFrom, skippingClock } from '../../selftest/harness.ts';

const options = optionsFrom(createReference().settings);
const PLACE = { sequence: 'test', attempt: 0 };

/** What a target answers to the request of that method, the nth of all: a status, or one with fields or a text. */
type Target = (method: string, nth: number) => number | { status: number; headers?: readonly Header[]; text?: string };

/** A client with that target, and the methods of the requests that left, with `{}` behind those with a body. */
function watchedClient(target: Target, hooks: Parameters<typeof clientOf>[3] = {}) {
  const left: string[] = [];
  const recorder = {
    redactor: new Redactor([]),
    digest: () => '',
    watch: new Map<string, string>(),
    fullEvidence: false,
  };
  const ports = {
    transport: async ({ method, body }: Pick<WireRequest, 'method' | 'body'>) => {
      const answer = target(method, left.push(body === null ? method : `${method} {}`));
      const { status, headers = [], text = '' } = typeof answer === 'number' ? { status: answer } : answer;
      return { kind: 'answer', status, headers, body: new TextEncoder().encode(text), cut: false } as const;
    },
    clock: skippingClock(),
    random: () => '00',
    recorder: () => recorder,
    version: '0.0.0',
  };
  return { client: clientOf(options, ports, 'secret-1', hooks), left };
}

test('a first read leaves, and nothing else does until the target is admitted', async () => {
  const { client, left } = watchedClient(() => 404);
  const builder = plannerFor(options);
  const call = options.ringingCallId ?? '';
  const write = builder.request('updateTrunk', { json: { name: 'x' }, role: 'preflight' });
  const restore = builder.request('updateTrunk', { json: { name: 'x' }, role: 'restore' });
  await client.send(builder.request('listTrunks', { role: 'preflight' }), PLACE);
  await expect(client.send(builder.control('listTrunks'), PLACE)).rejects.toThrow(Skipped);
  await expect(client.send(write, PLACE)).rejects.toThrow(Skipped);
  await expect(client.send(restore, { ...PLACE, cleanUp: true })).rejects.toThrow(Skipped);
  await expect(client.hangUps.endOther(call, PLACE, {}, false)).rejects.toThrow(Skipped);
  expect(left).toEqual(['GET']);
  client.admission.open();
  await client.send(restore, { ...PLACE, cleanUp: true });
  await client.hangUps.endOther(call, PLACE, {}, false);
  // Each is lost, so it is sent again.
  expect([...new Set(left)].slice(0, 3)).toEqual(['GET', 'PATCH {}', 'POST']);
});

test('what a list shows is only read from then on', async () => {
  const builder = plannerFor(options);
  const [shown, other] = [builder.uuid('shown'), builder.uuid('not shown')];
  const { client, left } = watchedClient(() => ({ status: 200, text: JSON.stringify({ data: [{ id: shown }] }) }));
  client.admission.open();
  const write = (id: string) =>
    client.send(builder.request('updateTrunk', { path: `/v1/trunks/${id}`, json: { name: 'x' } }), PLACE);
  await client.send(builder.request('listTrunks', {}), PLACE);
  await expect(write(shown)).rejects.toThrow('a response of the target names the made-up id');
  await write(other);
  expect(left).toEqual(['GET', 'PATCH {}']);
});

const BUILDER = plannerFor(options);
const READ = BUILDER.control('listTrunks');
const WRITE = BUILDER.request('updateTrunk', { json: { name: 'x' } });
const CALL = BUILDER.request('createCall', { json: options.numbers });

test.each<readonly [what: string, requests: readonly SuiteRequest[], isLast: boolean]>([
  ['a read after another', [READ, READ], true],
  ['a write after a read', [READ, WRITE], false],
  ['a read while a call is open', [CALL, READ], false],
])('where the rest of a limit covers no end of a run, %s leaves: %s', async (_, [before, last], isLast) => {
  const headers: readonly Header[] = [['RateLimit', 'limit=100, remaining=9, reset=900']];
  const { client } = watchedClient(() => ({ status: 201, headers, text: '{"id":"a"}' }));
  client.admission.open();
  await client.send(before as SuiteRequest, PLACE);
  const sent = client.send(last as SuiteRequest, PLACE);
  await (isLast ? sent : expect(sent).rejects.toThrow('is kept for the end of the run'));
});

test('what can dial nothing needs no valid call before it, although the last ones may be open', async () => {
  const { client, left } = watchedClient(() => 500, { validCall: () => CALL });
  client.admission.open();
  for (const request of [CALL, { ...CALL, body: null }]) await client.send(request, PLACE);
  expect(left.join(' ')).toMatch(/^(?:POST \{\} ){2}(?:POST ?)+$/);
});

test.each([
  [500, true],
  [429, false],
])('a batch whose requests get a page and %i goes out at once again: %s', async (status, isAgain) => {
  const { client } = watchedClient(() => ({ status, text: '<p>' }));
  client.admission.open();
  const batch = [{ request: READ, place: PLACE }];
  let isAsked = false;
  await client.together(batch, true, async () => {
    isAsked = true;
    return batch;
  });
  expect(isAsked).toBe(isAgain);
});

test.each([
  ['at once', 200, 3],
  ['only after it was put off, too', 503, 4],
])('a write that got 503 three times, where a read is accepted %s, leaves %i times', async (_, status, times) => {
  let reads = 0;
  const target: Target = (method) => (method === 'GET' ? (++reads > 1 ? 200 : status) : left.length < 5 ? 503 : 200);
  const { client, left } = watchedClient(target, { check: () => READ });
  client.admission.open();
  await client.send(WRITE, PLACE);
  expect(left.filter((method) => method === 'PATCH {}').length).toBe(times);
});
