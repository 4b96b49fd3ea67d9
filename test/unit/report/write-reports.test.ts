import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/contract/usage-error.ts';
import { REPORTERS } from '../../../src/report/reporters.ts';
import { writeReports } from '../../../src/report/write-reports.ts';
import { MADE, madeWith } from './made-run.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pcs-conformance-reports-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the report folder', () => {
  test('is created and contains exactly the reports', async () => {
    const deep = join(folder, 'a', 'b');
    const written = await writeReports(deep, MADE);
    expect(written).toEqual(REPORTERS.map(({ file }) => join(deep, file)));
    expect((await readdir(deep)).sort()).toEqual(REPORTERS.map(({ file }) => file).sort());
    for (const { file, render } of REPORTERS) expect(await readFile(join(deep, file), 'utf8')).toBe(render(MADE));
  });

  test('contains only the newest run: reports are replaced, and an older badge is removed', async () => {
    await writeReports(folder, MADE);
    const partial = madeWith({ partial: true, seed: 8 });
    expect(await writeReports(folder, partial)).not.toContain(join(folder, 'badge.json'));
    expect(await readdir(folder)).not.toContain('badge.json');
    expect(JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'))).toMatchObject({ seed: 8 });
  });

  test('keeps files that are not ours', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine');
    await writeReports(folder, MADE);
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('is named in one sentence if a file is in its way', async () => {
    const taken = join(folder, 'taken');
    await writeFile(taken, '');
    await expect(writeReports(taken, MADE)).rejects.toThrow(
      new UsageError(
        `The reports cannot be written to ${taken}: a file of that name is in the way; choose another --report-dir.`,
      ),
    );
    await expect(writeReports(join(taken, 'deeper'), MADE)).rejects.toThrow('a part of the path is a file');
  });

  test('contains no draft if a report cannot be written', async () => {
    await mkdir(join(folder, 'junit.xml'));
    await expect(writeReports(folder, MADE)).rejects.toThrow('a folder of that name is in the way');
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
