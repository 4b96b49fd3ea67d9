/** What people look at: the certificate, and the difference in the report. */

import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { renderCertificate } from '../../../src/certificate/certificate-page.ts';
import { compareRuns } from '../../../src/regression/comparison.ts';
import { differenceOf } from '../../../src/regression/comparison-report.ts';
import { renderHtml } from '../../../src/report/html/index.ts';
import { failing, soundRun, withCase } from './judged-runs.ts';

const { results, choices } = await soundRun();
const PARTICULARS = {
  suite: results.suite,
  catalogue: { version: '0.0.0', sha256: '0'.repeat(64) },
  implementation: { name: '<script>x</script>', version: '"4"', vendor: 'A & B' },
  nonce: '00112233445566778899aabbccddeeff',
  time: '2026-01-31T12:00:00.000Z',
};

describe('the certificate', () => {
  const page = renderCertificate(results, PARTICULARS);

  test('is whole HTML that loads nothing, runs nothing and obeys no name', () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\/(?!service\.invalid)|\son[a-z]+=/);
    expect(page).toContain('&lt;script&gt;x&lt;/script&gt;');
    expect(page).toContain('default-src &#39;none&#39;'.replaceAll('&#39;', "'"));
  });

  test('names what was not exercised, the readings, the nonce and the date', () => {
    const idle = results.requirements.flatMap(({ cases }) => cases).find(({ verdict }) => verdict === 'not-exercised');
    expect(idle).toBeDefined();
    for (const text of ['Not exercised', idle?.id ?? '', 'R1: ', PARTICULARS.nonce, '2026-01-31', 'A &amp; B']) {
      expect(page).toContain(text);
    }
  });
});

describe('the report of a run with a baseline', () => {
  test('shows the difference, and no such part without a baseline', () => {
    const broken = withCase(results, 'LIST-STATUS/listTrunks', failing('status 200', 'status <206>'));
    const comparison = compareRuns({ results, choices }, { results: broken, choices });
    const difference = differenceOf(comparison, false);
    const page = renderHtml({ results: broken, exchanges: [], difference });
    expect(page).toContain('Since the baseline');
    expect(page).toContain('1 case newly failing.');
    expect(page).not.toContain('<206>');
    expect(renderHtml({ results: broken, exchanges: [] })).not.toContain('Since the baseline');
  });
});
