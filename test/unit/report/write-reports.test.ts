import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REPORTERS, writeReportFiles } from '../../../src/report/write-reports.ts';
import { REAL_DISK } from '../../../src/run/disk.ts';
import { MADE, madeWith } from './made-run.ts';

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
