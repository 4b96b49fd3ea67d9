import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { sampled } from '../../sampled.ts';

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

  const texts = sampled(
    [
      ['one secret after another', `["${secret.repeat(180_000)}"]`],
      ['escapes alone', '%41\\n&#65;'.repeat(270_000)],
      ['the letter that a secret consists of', 'a'.repeat(3_000_000)],
      ['blanks around a short secret and a number', `["code",${' '.repeat(3_000_000)}918273645546372819 ]`],
      ['quotes', '"'.repeat(3_000_000)],
    ] as const,
    5,
  );

  test.each(texts.items)(`three megabytes of %s are read in a few seconds (${texts.words})`, (_, text) => {
    const secrets = [secret, 'a'.repeat(40), '918273645546372819', 'code'].map((value) => {
      return { kind: 'inbound-secret', label: 'inbound secret', value } as const;
    });
    const start = performance.now();
    new Redactor(secrets).redact(text);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
