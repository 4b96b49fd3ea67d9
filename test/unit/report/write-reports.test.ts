import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renderConsole } from '../../../src/report/console.ts';
import { renderHtml } from '../../../src/report/html/page-writer.ts';
import { renderSummary } from '../../../src/report/markdown.ts';
import { REPORTERS, writeReportFiles } from '../../../src/report/write-reports.ts';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { EXCHANGES, frozen, MADE, madeWith } from './made-run.ts';
import { faultyRun, secretsOfRuns } from './real-runs.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pcs-conformance-reports-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the report folder', () => {
  test('is created and contains exactly the reports', async () => {
    const deep = join(folder, 'a', 'b');
    const { files, missing } = writeReportFiles(deep, MADE);
    expect([files, missing]).toEqual([REPORTERS.map(({ file }) => join(deep, file)), []]);
    expect((await readdir(deep)).sort()).toEqual(REPORTERS.map(({ file }) => file).sort());
    for (const { file, render } of REPORTERS) expect(await readFile(join(deep, file), 'utf8')).toBe(render(MADE));
  });

  test('contains only the newest run: reports are replaced, and an older badge is removed', async () => {
    writeReportFiles(folder, MADE);
    const partial = madeWith({ partial: true, seed: 8 });
    expect(writeReportFiles(folder, partial).files).not.toContain(join(folder, 'badge.json'));
    expect(await readdir(folder)).not.toContain('badge.json');
    expect(JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'))).toMatchObject({ seed: 8 });
  });

  test('is named in one sentence if a file is in its way', async () => {
    const taken = join(folder, 'taken');
    await writeFile(taken, '');
    expect(writeReportFiles(taken, MADE)).toEqual({
      files: [],
      missing: ['a file of that name is in the way'],
      isBroken: false,
    });
    expect(writeReportFiles(join(taken, 'deeper'), MADE).missing).toEqual(['a part of the path is a file']);
  });

  test('contains no draft if a report cannot be written', async () => {
    await mkdir(join(folder, 'junit.xml'));
    const { files, missing } = writeReportFiles(folder, MADE);
    expect([files.length, missing]).toEqual([REPORTERS.length - 1, ['a folder of that name is in the way']]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('holds the other reports where one breaks', () => {
    const broken = {
      name: 'broken',
      file: 'broken.txt',
      render: () => {
        throw new Error('no memory');
      },
    };
    const { files, missing, isBroken } = writeReportFiles(folder, MADE, REAL_DISK, [broken, ...REPORTERS]);
    expect([files.length, missing, isBroken]).toEqual([REPORTERS.length, ['broken.txt: no memory'], true]);
  });
});

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
