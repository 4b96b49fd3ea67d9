import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'pcs-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the environment', () => {
  test('has no .env text if there is no such file, or only a folder of that name', () => {
    expect(readEnvironment(folder).textOf('.env', false)).toBeUndefined();
    const venv = join(folder, 'venv');
    mkdirSync(join(venv, '.env'), { recursive: true });
    expect(readEnvironment(venv).textOf('.env', false)).toBeUndefined();
    expect(() => readEnvironment(folder).textOf('.env', true)).toThrow('.env cannot be read (ENOENT)');
    expect(() => readEnvironment(folder).textOf('x'.repeat(300), false)).toThrow('cannot be read (ENAMETOOLONG)');
  });

  test('has the text of .env and leaves the process unchanged', () => {
    const before = { ...process.env };
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, '.env'), 'PCS_SEED=4\n');
    expect(readEnvironment(project).textOf('.env', false)).toBe('PCS_SEED=4\n');
    expect(readEnvironment(project).env).toEqual(before);
    expect(process.env).toEqual(before);
  });

  test('can read a file, but not a folder or a missing file', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { canRead } = readEnvironment(folder);
    expect([file, 'file', '.', 'nothing'].map(canRead)).toEqual([true, true, false, false]);
  });

  test('reads the lines of ours in a file of which others are not UTF-8', () => {
    writeFileSync(join(folder, 'latin.env'), Buffer.from('# f\u00fcr\nPCS_SEED=4\n', 'latin1'));
    const { env, ...disk } = readEnvironment(folder);
    expect(readSettings({ settings: 'latin.env', reference: true }, { env: {}, ...disk }).seed).toBe(4);
  });

  test('gives the settings of the file that --settings names, and not those of .env', () => {
    writeFileSync(join(folder, '.env'), 'PCS_SEED=4\nPCS_EXPLORE=4\n');
    writeFileSync(join(folder, 'staging.env'), 'PCS_SEED=5\nPCS_REFERENCE=true\n');
    const { env, ...disk } = readEnvironment(folder);
    expect(readSettings({ settings: 'staging.env' }, { env: {}, ...disk })).toMatchObject({ seed: 5, explore: 60 });
    expect(readSettings({}, { env: { PCS_ENV_FILE: 'staging.env' }, ...disk })).toMatchObject({ seed: 5, explore: 60 });
    expect(readSettings({ reference: true }, { env: {}, ...disk })).toMatchObject({ seed: 4, explore: 4 });
  });

  test('names the file in the message on a wrong value', () => {
    writeFileSync(join(folder, 'wrong.env'), 'PCS_REFERENCE=true\nPCS_SEED=x\n');
    const { env, ...disk } = readEnvironment(folder);
    expect(() => readSettings({ settings: 'wrong.env' }, { env: {}, ...disk })).toThrow(
      /^PCS_SEED in wrong\.env \("x"\)/,
    );
  });
});
