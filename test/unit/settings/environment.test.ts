import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { canReadFile, readEnvironment } from '../../../src/settings/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the environment', () => {
  test('has no .env text where there is no such file, or a folder of that name', () => {
    expect(readEnvironment(folder).envFile).toBeUndefined();
    const venv = join(folder, 'venv');
    mkdirSync(join(venv, '.env'), { recursive: true });
    expect(readEnvironment(venv).envFile).toBeUndefined();
  });

  test('has the text of .env and leaves the process as it is', () => {
    const before = { ...process.env };
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, '.env'), 'PCS_SEED=4\n');
    expect(readEnvironment(project)).toEqual({ env: before, envFile: 'PCS_SEED=4\n' });
    expect(process.env).toEqual(before);
  });

  test('tells a readable file from a folder and from nothing', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect([file, folder, join(folder, 'nothing')].map(canReadFile)).toEqual([true, false, false]);
  });
});
