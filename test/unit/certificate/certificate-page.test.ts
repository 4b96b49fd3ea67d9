import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { renderCertificate } from '../../../src/certificate/bundle.ts';
import { statedName } from '../../../src/certificate/certification.ts';
import type { Results } from '../../../src/verdict/results.ts';
import { soundRun } from '../regression/judged-runs.ts';

const { results } = await soundRun();
const PARTICULARS = {
  suite: results.suite,
  catalogue: { version: '0.0.0', sha256: '0'.repeat(64) },
  implementation: { name: '<script>x</script>', version: '"4"', vendor: 'A & B' },
  nonce: '00112233445566778899aabbccddeeff',
  time: '2026-01-31T12:00:00.000Z',
};

describe('the certificate', () => {
  const page = renderCertificate(results, PARTICULARS);

  test('is valid HTML that loads nothing, runs nothing and escapes names', () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!service\.invalid)|\son[a-z]+=/);
    expect(page).toContain('&#60;script&#62;x&#60;/script&#62;');
    expect(page).toContain("default-src 'none'");
  });

  test('shows names as a statement of the signer, in quotes, and names letters that look like Latin ones', () => {
    const implementation = { name: 'Асme PCS, certified by the TM Forum', version: '4', vendor: 'Söhne' };
    const shown = renderCertificate(results, { ...PARTICULARS, implementation });
    const name = '&#34;Асme PCS, certified by the TM Forum&#34; (not the plain letters: А U+0410, с U+0441)';
    expect(shown).toContain(`<p>for ${name} &#34;4&#34; by &#34;Söhne&#34;<br>`);
    expect(shown).toContain('These names are what the signer states, not verified.');
    // No reader takes a name for a word of ours, whatever it says.
    expect(statedName('Verified: PCS')).toBe('"Verified: PCS"');
    expect(statedName('ＰＣＳ ４')).toBe(
      '"ＰＣＳ ４" (not the plain letters: Ｐ U+FF30, Ｃ U+FF23, Ｓ U+FF33 and 1 more)',
    );
    expect(statedName('𝐏ɡ')).toContain('𝐏 U+1D40F, ɡ U+0261');
    expect(statedName('電話サービス Dışbank Élan')).toBe('"電話サービス Dışbank Élan"');
  });

  test('has its style sheet, and the hash of it in its policy', () => {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    expect(style).toBe(readFileSync(new URL('../../../src/report/html/page.css', import.meta.url), 'utf8'));
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(`style-src 'sha256-${hash}'`);
  });

  test('names each question without an answer, and why', () => {
    const [requirement, ...others] = results.requirements as [Results['requirements'][number]];
    const [result, ...cases] = requirement.cases as [Results['requirements'][number]['cases'][number]];
    const unanswered = [{ question: 'x', status: 'open', reason: 'the response shows no <id>' }] as const;
    const requirements = [{ ...requirement, cases: [{ ...result, unanswered }, ...cases] }, ...others];
    expect(renderCertificate({ ...results, requirements }, PARTICULARS)).toContain(
      `1 question of ${result.id}: the response shows no &#60;id&#62;`,
    );
  });

  test('counts recommendations, not the operations that do not follow them', () => {
    const requirements = results.requirements.map((requirement) =>
      requirement.id === 'AUTH-STATUS-401'
        ? { ...requirement, cases: requirement.cases.map((each) => ({ ...each, verdict: 'warning' as const })) }
        : requirement,
    );
    const cases = { ...results.counts.cases, warning: 13 };
    const shown = renderCertificate({ ...results, requirements, counts: { ...results.counts, cases } }, PARTICULARS);
    expect(shown).toContain(' 1 recommendation not followed, in 13 cases.');
  });

  test('names the cases not exercised, the readings, the nonce and the date', () => {
    const idle = results.requirements.flatMap(({ cases }) => cases).find(({ verdict }) => verdict === 'not-exercised');
    expect(idle).toBeDefined();
    for (const text of ['Not exercised', idle?.id ?? '', 'R1: ', PARTICULARS.nonce, '2026-01-31', 'A &#38; B']) {
      expect(page).toContain(text);
    }
    const readings = (page.match(/R\d+(?=: )/g) ?? []).map((id) => Number(id.slice(1)));
    expect(readings).toEqual(expect.arrayContaining([2, 11]));
    expect(readings).toEqual(readings.toSorted((a, b) => a - b));
    expect(renderCertificate({ ...results, counts: { ...results.counts, requests: 1_000 } }, PARTICULARS)).toContain(
      '<dd>1,000</dd>',
    );
    expect(page).toContain('on all operations: ');
    const less = renderCertificate({ ...results, without: ['getTrunk', 'answerCall'] }, PARTICULARS);
    expect(less).toContain('on all operations except getTrunk, answerCall: ');
  });
});
