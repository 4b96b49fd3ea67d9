/** Nothing but a first read leaves before the target was admitted, clean-up included. */

import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { Skipped } from '../../../src/client/request.ts';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { clientOf } from '../../../src/run/run-client.ts';
import { plannerFor } from '../../../suites/index.ts';
import { optionsFrom, skippingClock } from '../../selftest/harness.ts';

const options = optionsFrom(createReference().settings);
const PLACE = { sequence: 'test', attempt: 0 };

/** A client, and the methods of the requests that left. */
function watchedClient() {
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
      return { kind: 'answer', status: 404, headers: [], body: new Uint8Array(), cut: false } as const;
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
