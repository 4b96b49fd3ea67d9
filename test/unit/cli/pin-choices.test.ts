/** Pinned choices are compared, or the command says why it cannot compare them. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readGateFiles } from '../../../src/cli/present.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { soundRun } from '../regression/judged-runs.ts';
import { stage } from './stage.ts';

const sound = await soundRun();
const REMEDY = 'name the report folder of a finished run, or omit --pin-choices.';

let [before, now] = ['', ''];
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pcs-conformance-pinned-'));
  [before, now] = [join(folder, 'before'), join(folder, 'now')];
  for (const name of [before, now]) {
    mkdirSync(name);
    writeFileSync(join(name, 'results.json'), JSON.stringify(sound.results));
    writeFileSync(join(name, 'choices.json'), JSON.stringify(sound.choices));
  }
});

async function compare(...flags: readonly string[]) {
  const { terminal, err } = stage();
  const code = await runCommandLine(['compare', before, now, ...flags], terminal);
  return { code, err };
}

const settingsWith = (flags: Readonly<Record<string, string | true>>) =>
  readSettings({ reference: true, ...flags }, variablesOnly({}));

describe('compare --pin-choices', () => {
  test('compares if both have choices', async () => {
    expect(await compare('--pin-choices')).toEqual({ code: 0, err: [] });
  });

  test.each(['baseline', 'current'])('is wrong usage if the %s run has none', async (which) => {
    const path = join(which === 'baseline' ? before : now, 'choices.json');
    rmSync(path);
    expect(await compare()).toEqual({ code: 0, err: [] });
    const sentence = `${path} cannot be read, but --pin-choices needs it: ${REMEDY}`;
    expect(await compare('--pin-choices')).toEqual({ code: 2, err: [sentence] });
  });
});

describe('run --pin-choices', () => {
  test('is wrong usage without a baseline', () => {
    expect(readGateFiles(settingsWith({}))).toEqual({});
    expect(() => readGateFiles(settingsWith({ 'pin-choices': true }))).toThrow(
      '--pin-choices (PCS_PIN_CHOICES) needs a baseline: give --baseline DIR, or omit --pin-choices.',
    );
  });
});
