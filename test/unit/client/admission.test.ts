/** What a client lets out: before the target is admitted a first read alone, and later no write to an id that a list shows. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { Skipped } from '../../../src/client/request.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { clientOf } from '../../../src/run/run-client.ts';
import { plannerFor } from '../../../suites/index.ts';
import { optionsFrom, skippingClock } from '../../selftest/harness.ts';

const options = optionsFrom(createReference().settings);
const PLACE = { sequence: 'test', attempt: 0 };

/** A client whose target answers everything so, and the methods of the requests that left. */
function watchedClient(status = 404, text = '') {
  const left: string[] = [];
  const recorder = {
    redactor: new Redactor([]),
    digest: () => '',
    watch: new Map<string, string>(),
    fullEvidence: false,
  };
  const ports = {
    transport: async ({ method }: { readonly method: string }) => {
      left.push(method);
      return { kind: 'answer', status, headers: [], body: new TextEncoder().encode(text), cut: false } as const;
    },
    clock: skippingClock(),
    random: () => '00',
    recorder: () => recorder,
    version: '0.0.0',
  };
  return { client: clientOf(options, ports, 'secret-1'), left };
}

test('a first read leaves, and nothing else does until the target is admitted', async () => {
  const { client, left } = watchedClient();
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
  expect([...new Set(left)].slice(0, 3)).toEqual(['GET', 'PATCH', 'POST']);
});

test('what a list shows is only read from then on', async () => {
  const builder = plannerFor(options);
  const [shown, other] = [builder.uuid('shown'), builder.uuid('not shown')];
  const { client, left } = watchedClient(200, JSON.stringify({ data: [{ id: shown }] }));
  client.admission.open();
  const write = (id: string) =>
    client.send(builder.request('updateTrunk', { path: `/v1/trunks/${id}`, json: { name: 'x' } }), PLACE);
  await client.send(builder.request('listTrunks', {}), PLACE);
  await expect(write(shown)).rejects.toThrow('a response of the target names the made-up id');
  await write(other);
  expect(left).toEqual(['GET', 'PATCH']);
});
