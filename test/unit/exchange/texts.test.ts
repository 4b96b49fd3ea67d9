import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { stretchesOf } from '../../../src/exchange/texts.ts';

const MEBIBYTE = 1_048_576;

describe('the stretches of a text', () => {
  test('are one for a text of a mebibyte', () => {
    expect([...stretchesOf('x'.repeat(MEBIBYTE))]).toHaveLength(1);
  });

  test('cover all of it, and each overlaps the next by 128 KiB', () => {
    for (const length of [MEBIBYTE + 1, 2 * MEBIBYTE, 3 * MEBIBYTE - 262_144, 8 * MEBIBYTE]) {
      const stretches = [...stretchesOf('x'.repeat(length))];
      const ends = stretches.map(({ start, text }) => start + text.length);
      expect(ends.at(-1)).toBe(length);
      stretches.slice(1).forEach(({ start }, at) => {
        expect((ends[at] ?? 0) - start).toBe(131_072);
      });
    }
  });
});

describe('a secret in a long text', () => {
  const secret = 'k7Gz0pQw3RtY5uI9';
  const redactor = new Redactor([{ kind: 'inbound-secret', label: 'inbound secret', value: secret }]);
  const escaped = [...secret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('');

  test.each([
    ['raw', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['escaped', escaped],
  ])('is redacted, %s, wherever a stretch may end', (_, written) => {
    const edges = [0, MEBIBYTE - 131_072, MEBIBYTE, 2 * MEBIBYTE - 262_144, 2 * MEBIBYTE - 131_072];
    for (const edge of edges) {
      for (const shift of [-written.length, -5, 0, 5]) {
        const before = '. '.repeat(MEBIBYTE * 2).slice(0, Math.max(0, edge + shift));
        const { text, leaks } = redactor.redact(`${before}${written}${' .'.repeat(MEBIBYTE / 2)}`);
        expect(leaks).toHaveLength(1);
        expect(text.slice(before.length, before.length + 40)).toMatch(/^⟦inbound secret[^⟧]*⟧(==)? \./);
        expect(text.startsWith(before)).toBe(true);
      }
    }
  });

  test.each([
    ['one secret after another', `["${secret.repeat(180_000)}"]`],
    ['escapes alone', '%41\\n&#65;'.repeat(270_000)],
    ['the letter that a secret consists of', 'a'.repeat(3_000_000)],
    ['blanks around a short secret and a number', `["code",${' '.repeat(3_000_000)}918273645546372819 ]`],
    ['quotes', '"'.repeat(3_000_000)],
  ])('three megabytes of %s are read in a few seconds', (_, text) => {
    const secrets = [secret, 'a'.repeat(40), '918273645546372819', 'code'].map((value) => {
      return { kind: 'inbound-secret', label: 'inbound secret', value } as const;
    });
    const start = performance.now();
    new Redactor(secrets).redact(text);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});
