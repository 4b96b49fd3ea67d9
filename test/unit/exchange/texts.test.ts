import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/exchange/redaction.ts';
import { stretchesOf } from '../../../src/exchange/texts.ts';
import { sampled } from '../../sampled.ts';

const STRETCH = 262_144;
const OVERLAP = 32_768;

describe('the stretches of a text', () => {
  test('are one for a text of 256 KiB', () => {
    expect([...stretchesOf('x'.repeat(STRETCH))]).toHaveLength(1);
  });

  test('cover all of it, and each overlaps the next by 32 KiB', () => {
    for (const length of [STRETCH + 1, 2 * STRETCH, 3 * STRETCH - 2 * OVERLAP, 32 * STRETCH]) {
      const stretches = [...stretchesOf('x'.repeat(length))];
      const ends = stretches.map(({ start, text }) => start + text.length);
      expect(ends.at(-1)).toBe(length);
      stretches.slice(1).forEach(({ start }, at) => {
        expect((ends[at] ?? 0) - start).toBe(OVERLAP);
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
    const edges = [0, STRETCH - OVERLAP, STRETCH, 2 * STRETCH - 2 * OVERLAP, 2 * STRETCH - OVERLAP];
    for (const edge of edges) {
      for (const shift of [-written.length, -5, 0, 5]) {
        const before = '. '.repeat(STRETCH * 2).slice(0, Math.max(0, edge + shift));
        const { text, leaks } = redactor.redact(`${before}${written}${' .'.repeat(STRETCH / 2)}`);
        expect(leaks).toHaveLength(1);
        expect(text.slice(before.length, before.length + 40)).toMatch(/^⟦inbound secret[^⟧]*⟧(==)? \./);
        expect(text.startsWith(before)).toBe(true);
      }
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
