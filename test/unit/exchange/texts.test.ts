import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/exchange/redaction.ts';

describe('a secret in a long text', () => {
  const secret = 'k7Gz0pQw3RtY5uI9';
  const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: secret }]);
  const escaped = [...secret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('');

  test.each([
    ['raw', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['escaped', escaped],
  ])('is redacted, %s, wherever it stands', (_, written) => {
    for (const length of [0, 1, 262_144, 3_000_001]) {
      const before = '. '.repeat(length).slice(0, length);
      const { text, leaks } = redactor.redact(`${before}${written}${' .'.repeat(100_000)}`);
      expect(leaks).toHaveLength(1);
      expect(text.slice(length, length + 40)).toMatch(/^⟦inbound secret[^⟧]*⟧(==)? \./);
      expect(text.startsWith(before)).toBe(true);
    }
  });
});
