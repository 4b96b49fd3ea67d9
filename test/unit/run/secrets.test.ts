import { describe, expect, test } from 'vitest';
import { createReference } from '../../../fixtures/service/reference.ts';
import { livePorts } from '../../../src/run/live.ts';
import { inboundSecret, secretsOf } from '../../../src/run/run-client.ts';
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

/** A source that counts: 0, 1, 2 … */
function counting() {
  let next = 0;
  return { random: (bytes: number) => (next++).toString(16).padStart(2 * bytes, '0') };
}

const drawn = (secret?: string, sample?: unknown): string =>
  inboundSecret(
    { inbound: { ...(secret === undefined ? {} : { secret }) }, samples: { setInboundAuth: sample } } as never,
    counting(),
  );

describe('the inbound secret', () => {
  test('is random where no shape is known', () => {
    expect(drawn()).toBe('Pc90000000000000000');
  });

  test('has the shape of the one in the settings: classes of characters, length and everything else', () => {
    expect(drawn('Summer-2024!')).toBe('Abcdef-6789!');
    expect(drawn('000000000000')).toBe('012345678901');
  });

  test('has the shape of the one in the sample, unless the settings hold one', () => {
    const sample = { method: 'digest', secret: '98765432' };
    expect(drawn(undefined, sample)).toBe('01234567');
    expect(drawn('abcdefgh', sample)).toBe('abcdefgh');
  });

  test.each(['1234', '----------', 'geheim-äöüß', 'a'.repeat(257)])(
    'is the usual one where %j would be easy to guess, or too long',
    (shape) => {
      expect(drawn(shape)).toMatch(/^Pc9/);
    },
  );

  test.each([null, 7, 'text', [], { secret: 7 }])('is the usual one where the sample is %j', (sample) => {
    expect(drawn(undefined, sample)).toMatch(/^Pc9/);
  });
});
