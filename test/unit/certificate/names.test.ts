import { describe, expect, test } from 'vitest';
import { nameProblem } from '../../../src/certificate/certification.ts';

describe('a name', () => {
  test.each([
    'Acme PCS',
    '4.2.0-rc.1+build_7',
    "O'Reilly & Söhne (Wien), Ltd.",
    'Связь 2',
    'Τηλεπικοινωνίες',
    'हिन्दी संचार',
    'شركة الاتصالات',
    '電話サービス株式会社',
    '통신 서비스',
    'C#/Go: 24!',
  ])('may be %s', (name) => {
    expect(nameProblem(name)).toBeNull();
  });

  test.each([
    ['empty', '', 'has not between'],
    ['long', 'a'.repeat(101), 'has not between'],
    ['with spaces at its end', 'Acme ', 'has spaces'],
    ['with two spaces', 'Acme  PCS', 'has spaces'],
    ['of two scripts that look alike', 'Аcme', 'of one script'],
    ['in full-width letters', 'Ａｃｍｅ', 'normal form'],
    ['in mathematical letters', '𝐀cme', 'normal form'],
    ['with a ligature', 'oﬃce', 'normal form'],
    ['decomposed', 'Bo\u0308x', 'normal form'],
    ['with towers of marks', `A${'\u0489'.repeat(5)}`, 'marks'],
    ['that begins with a mark', '\u0951a', 'marks'],
    ['with markup', 'Acme <b>', 'of one script'],
    ['with quotes', 'Acme "certified"', 'of one script'],
    ['with a line break', 'Acme\nPCS', 'of one script'],
    ['with an escape sequence', 'Acme\u001b[2J', 'of one script'],
    ['written backwards', 'Acme\u202eSCP', 'of one script'],
    ['with an invisible space', 'Ac\u200bme', 'of one script'],
    ['with an emoji', 'Acme ✅', 'of one script'],
  ])('is not %s', (_, name, problem) => {
    expect(nameProblem(name)).toContain(problem);
  });
});
