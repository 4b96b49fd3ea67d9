/** Inbound authentication is restored by whatever the settings name of it; what stays is plain, named and of one connection alone. */

import { expect, test } from 'vitest';
import { createReference } from '../../fixtures/service/reference.ts';
import type { Service } from '../../fixtures/service/types.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { plannerFor } from '../../suites/index.ts';
import { enveloped } from '../e2e/live.ts';
import { judge, optionsFrom } from '../selftest/harness.ts';

/** A service whose connections take calls by address, which needs no credential, or by digest, which needs a whole one. */
async function lastWritten(inbound: RunOptions['inbound']) {
  const { service, settings } = createReference();
  let stored: Readonly<Record<string, unknown>> = {};
  const byAddress: Service = async (request) => {
    const reply = await service(request);
    if (request.method !== 'PUT' || !request.target.endsWith('/inbound-auth')) return reply;
    const isOurs = request.headers['authorization'] === `Bearer ${settings.PCS_ACCESS_TOKEN}`;
    let body: Readonly<Record<string, unknown>> = {};
    try {
      body = Object(JSON.parse(new TextDecoder().decode(request.body)));
    } catch {
      return reply;
    }
    const isAlone = body['method'] === 'ip' && Object.keys(body).length === 1;
    if (!isOurs || (!isAlone && (reply.status >= 300 || body['method'] === 'ip')))
      return reply.status < 300 ? enveloped(400) : reply;
    stored = body;
    return { ...reply, status: 200 };
  };
  const { record } = await judge(
    byAddress,
    optionsFrom(settings, { inbound, only: ['SUCCESS-STATUS', 'NO-SERVER-ERROR/setInboundAuth'] }),
  );
  return { stored, changed: record.changed, connection: settings.PCS_CARRIER_CONNECTION_ID };
}

test('a connection that takes calls by address is restored by its method alone', async () => {
  const { stored, changed } = await lastWritten({ method: 'ip' });
  expect([stored, changed]).toEqual([{ method: 'ip' }, []]);
});

test("a user name that is a word of the target's own messages accuses no rejection", async () => {
  const { service, settings } = createReference();
  const { results } = await judge(service, optionsFrom(settings, { inbound: { username: 'resource' } }));
  expect(results.requirements.flatMap(({ cases }) => cases.filter(({ verdict }) => verdict === 'fail'))).toEqual([]);
});

test('without any setting plain values stay, and are named', async () => {
  const { stored, changed, connection } = await lastWritten({});
  const { username, realm, method } = stored;
  expect(String(username)).toMatch(/^pcs-conformance-[0-9a-f]{8}$/);
  expect(changed).toEqual([
    expect.stringContaining(
      `carrier connection ${connection}: its inbound credential was replaced, and has the method "${method}", the user name "${username}", the realm "${realm}" and a random secret now`,
    ),
  ]);
});

test('two connections, two trunks and two seeds get other names', () => {
  const { settings, spares } = createReference();
  const options = optionsFrom(settings);
  const other = (resources: RunOptions['resources'], seed = options.seed) => {
    const { mark, inboundNames } = plannerFor({ ...options, seed, resources: { ...options.resources, ...resources } });
    return { mark, ...inboundNames };
  };
  const own = other({});
  expect(other({})).toEqual(own);
  const { PCS_CARRIER_CONNECTION_ID: carrierConnection = '', PCS_TRUNK_ID: trunk = '' } = spares;
  expect(other({ trunk })).toEqual({ ...own, mark: expect.not.stringContaining(own.mark) });
  const elsewhere = other({ carrierConnection });
  expect([elsewhere.mark, elsewhere.username === own.username, elsewhere.realm === own.realm]).toEqual([
    own.mark,
    false,
    false,
  ]);
  expect(other({}, options.seed + 1).mark).not.toBe(own.mark);
});
