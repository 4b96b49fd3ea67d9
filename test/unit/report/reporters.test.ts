import { describe, expect, test } from 'vitest';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import { REPORTERS } from '../../../src/report/write-reports.ts';
import { EXCHANGES, frozen, MADE, madeWith } from './made-run.ts';
import { faultyRun, secretsOfRuns } from './real-runs.ts';

describe('the reporters', () => {
  test('have files of their own', () => {
    expect(new Set(REPORTERS.map(({ file }) => file)).size).toBe(REPORTERS.length);
  });

  test.each(REPORTERS.map((reporter) => [reporter.file, reporter] as const))('%s is pure', (_file, { render }) => {
    const run = frozen(structuredClone(MADE));
    expect(render(run)).toBe(render(structuredClone(MADE)));
  });

  test('do not modify the record, nor does the console', () => {
    const run = frozen(structuredClone(MADE));
    expect(() => renderConsole(run, { color: true, detail: 'normal' })).not.toThrow();
  });

  test.each(['results.json', 'summary.md', 'badge.json'])('%s does not change with the clock', async (file) => {
    const reporter = REPORTERS.find((one) => one.file === file);
    const later = EXCHANGES.map((one) => ({ ...one, at: one.at + 5_000, took: one.took * 3 }));
    expect(reporter?.render({ ...MADE, exchanges: later, startedAt: 9 })).toBe(reporter?.render(MADE));
  });

  test('name the responses that were not read in full, and only if there are any', () => {
    const of = (run: typeof MADE) => [renderConsole(run, { color: false, detail: 'normal' }), renderHtml(run)];
    const cut = madeWith({ cut: { answers: 6, operations: ['listNumbers'] } });
    for (const text of [...of(cut), renderSummary(cut).replaceAll('&#59;', ';')])
      expect(text).toContain('6 responses exceeded 4 MiB; the rest was not judged (listNumbers)');
    for (const text of [...of(MADE), renderSummary(MADE)]) expect(text).not.toMatch(/exceeded 4 MiB|not read in full/);
  });

  test('keep the files of a whole run small and show none of its secrets, and neither does the console', async () => {
    const run = await faultyRun();
    const texts = REPORTERS.map(({ render }) => render(run) ?? '');
    expect(texts.filter(({ length }) => length > 5_000_000)).toEqual([]);
    const all = [...texts, renderConsole(run, { color: false, detail: 'normal' })].join('\n');
    expect(all).toContain('⟦inbound secret⟧');
    expect(secretsOfRuns().filter((secret) => secret.length < 8 || all.includes(secret))).toEqual([]);
  });
});
