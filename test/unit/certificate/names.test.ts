import { describe, expect, test } from 'vitest';
import { schemaProblem } from '../../../src/regression/own-files.ts';

const problemOf = (name: string): string | null =>
  schemaProblem('implementation', { name, version: '1', vendor: 'Acme' });

describe('a name', () => {
  test.each([
    'Acme PCS',
    '4.2.0-rc.1+build_7',
    "O'Reilly & Söhne (Wien), Ltd.",
    'हिन्दी संचार',
    'شركة الاتصالات',
    '電話サービス株式会社',
    'C#/Go: 24!',
  ])('may be %s', (name) => {
    expect(problemOf(name)).toBeNull();
  });

  test.each([
    ['empty', ''],
    ['long', 'a'.repeat(101)],
    ['with spaces at its end', 'Acme '],
    ['with two spaces', 'Acme  PCS'],
    ['with towers of marks', `A${'\u0489'.repeat(5)}`],
    ['that begins with a mark', '\u0951a'],
    ['with markup', 'Acme <b>'],
    ['with quotes', 'Acme "certified"'],
    ['with a line break', 'Acme\nPCS'],
    ['that ends with a line break', 'Acme\n'],
    ['with an escape sequence', 'Acme\u001b[2J'],
    ['written backwards', 'Acme\u202eSCP'],
    ['with an invisible space', 'Ac\u200bme'],
    ['with an emoji', 'Acme ✅'],
  ])('is not %s', (_, name) => {
    expect(problemOf(name)).toMatch(/^\/name must /);
  });
});
