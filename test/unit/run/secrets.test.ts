import { expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { livePorts } from '../../../src/run/live.ts';
import { secretsOf } from '../../../src/run/run-client.ts';
import { optionsFrom } from '../../selftest/harness.ts';

test('no record may hold a credential, an inbound secret, a key of a gateway or a token in an address', () => {
  const options = {
    ...optionsFrom(createReference().settings),
    ...{ baseUrl: 'https://api.invalid/9f3b7c1d5e8a2046', voiceUrl: 'https://app.invalid/?key=a' },
    queries: { listTrunks: 'token=b' },
    credentials: { access: 'a_org_1', otherOrganization: 'b_org_2', revoked: 'c_org_3' },
    inbound: { secret: 'of the settings' },
  };
  const extraHeaders = [
    ['X-Api-Key', 'k3yQ9k7Z'],
    ['X-Tenant', 'red'],
  ] as const;
  const secrets = secretsOf(options, 'drawn', { extraHeaders });
  expect(Object.fromEntries(secrets.map(({ label, value }) => [label, value]))).toEqual({
    credential: 'a_org_1',
    "other organization's credential": 'b_org_2',
    'revoked credential': 'c_org_3',
    'inbound secret': 'drawn',
    'configured inbound secret': 'of the settings',
    'header X-Api-Key': 'k3yQ9k7Z',
    'token in the base URL': '9f3b7c1d5e8a2046',
    'token in the voice URL': 'a',
    'token in a list query': 'b',
  });
});

test('a text that is to be written is searched for secrets, but not for words', async () => {
  const { ports, holdsSecret, close } = livePorts(optionsFrom(createReference().settings), { version: '1' });
  const secret = { kind: 'inbound-secret', label: 'configured inbound secret' } as const;
  ports.recorder([
    { ...secret, value: 'k3yQ9k7Z1x' },
    { ...secret, value: 'carrier password', isOrdinary: true },
  ]);
  expect(['a k3yQ9k7Z1x', 'the carrier password'].map(holdsSecret)).toEqual([true, false]);
  await close();
});
