/** Implementations side by side: verified bundles in columns, and nothing of a bundle that is not verifiable. */

import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { compareImplementations, renderImplementations } from '../../../src/certificate/implementations.ts';
import { schemaProblem } from '../../../src/regression/own-files.ts';
import { REQUIREMENTS } from '../../../suites/catalogue.ts';
import { VERSION } from './certified.ts';
import { comparedBundles } from './compared.ts';

const opened = await comparedBundles();
const compared = compareImplementations(opened, VERSION);
const page = renderImplementations(compared);

describe('matrix.json', () => {
  test('matches its schema', () => {
    expect(schemaProblem('matrix', JSON.parse(JSON.stringify(compared)))).toBeNull();
  });

  test('has every requirement once, with a verdict for each verified bundle', () => {
    const rows = compared.families.flatMap(({ requirements }) => requirements);
    expect(rows.map(({ id }) => id).sort()).toEqual(REQUIREMENTS.map(({ id }) => id).sort());
    for (const { verdicts } of rows) expect(verdicts).toHaveLength(2);
    const [valid] = compared.families;
    expect(valid?.name).toBe('Valid requests');
    expect(valid?.cases.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
  });

  test('tells choices that differ from those that are alike', () => {
    const status = compared.choices.find(({ alike }) => !alike);
    expect(status?.choices).toHaveLength(2);
    expect(compared.choices.some(({ alike }) => alike)).toBe(true);
  });

  test('holds nothing of a bundle that is not verifiable but its folder and the reason', () => {
    const [, , broken] = compared.bundles;
    expect(Object.keys(broken ?? {}).sort()).toEqual(['bundle', 'outcome', 'problem']);
  });
});

describe('matrix.html', () => {
  test('is valid HTML that loads and runs nothing', () => {
    const errors: string[] = [];
    parse(page, { onParseError: ({ code }) => errors.push(code) });
    expect(errors).toEqual([]);
    expect(page).not.toMatch(/<script|<link|<img|<[^>]*\son[a-z]+=/);
    expect(page).toContain("default-src 'none'");
  });

  test('shows names, dates, versions and outcomes, and escapes what it shows', () => {
    for (const text of [
      '3 bundles: 1 conformant, 1 non-conformant, 1 not verifiable.',
      'Reference 1.2.3',
      '2026-01-31',
      'pcs-conformance 0.0.0',
      '&lt;img src=x onerror=alert(1)&gt;',
      'results.json has the digest',
      'responses waited for up to 20 s instead of 10 s',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('<img');
  });
});
