import { describe, expect, test } from 'vitest';
import { inboundSecret } from '../../../src/run/run-client.ts';

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
