import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { describe, expect, test } from 'vitest';
import { renderEnvExample } from '../../../scripts/setting-pages.ts';
import { RUN_DEFAULTS, SETTING_OF, SETTING_VALUES } from '../../../src/contract/settings.ts';
import { DEFAULTS } from '../../../src/run/options.ts';
import { variablesOnly } from '../../../src/settings/environment.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { SETTINGS } from '../../../src/settings/table.ts';

const EXAMPLE = new URL('../../../.env.example', import.meta.url);
const WITH_FLAG = SETTINGS.filter(({ flag }) => flag !== undefined);

describe('the table of settings', () => {
  test('contains each name and each key once', () => {
    for (const member of ['name', 'flag'] as const) {
      const names = SETTINGS.flatMap((row) => row[member] ?? []);
      expect(names).toEqual([...new Set(names)]);
    }
    expect(WITH_FLAG.length).toBeGreaterThan(20);
  });

  test('has no flag for a secret, except for gateway header fields', () => {
    expect(SETTINGS.filter(({ secret }) => secret).map(({ name, flag }) => [name, flag])).toEqual([
      ['PCS_ACCESS_TOKEN', undefined],
      ['PCS_OTHER_ORG_ACCESS_TOKEN', undefined],
      ['PCS_REVOKED_ACCESS_TOKEN', undefined],
      ['PCS_INBOUND_SECRET', undefined],
      ['PCS_HEADER', 'header'],
    ]);
  });

  test('has defaults that can be written out and read back', () => {
    const variables = Object.entries(parse(renderEnvExample().replace(/^# (PCS_\w+=.)/gm, '$1')));
    const written = variables.filter(([name, text]) => text !== '' && name !== 'PCS_ENV_FILE');
    expect(written.length).toBeGreaterThan(10);
    const env = { PCS_BASE_URL: 'http://localhost', PCS_ACCESS_TOKEN: 'a', ...Object.fromEntries(written) };
    const plain = { PCS_BASE_URL: 'http://localhost', PCS_ACCESS_TOKEN: 'a' };
    // What is given is repeated in a printed command and goes before the seed of a baseline, also where it is the default.
    const given = { ...readSettings({}, variablesOnly(env)), repeated: [], chosenSeed: undefined };
    expect(given).toEqual(readSettings({}, variablesOnly(plain)));
  });

  test('has the defaults of the engine', () => {
    const env = { PCS_BASE_URL: 'http://localhost', PCS_ACCESS_TOKEN: 'a' };
    const settings = readSettings({}, variablesOnly(env));
    expect(settings).toMatchObject(RUN_DEFAULTS);
    const { profile, without, only } = settings;
    expect(DEFAULTS).toMatchObject({ ...RUN_DEFAULTS, profile, without, only });
  });

  test('is used by a command in every row, and has a help text of one phrase', () => {
    for (const { name, usedBy, help } of SETTINGS) {
      expect(usedBy.length, name).toBeGreaterThan(0);
      expect(help, name).toMatch(/^\S.*[^.\s]$/);
    }
  });
});

describe('a remedy', () => {
  test('exists for each setting of the target', () => {
    const ofTarget = SETTINGS.filter(({ flag, name }) => flag === undefined || name === 'PCS_BASE_URL');
    expect(ofTarget.map(({ name }) => name).toSorted()).toEqual(Object.keys(SETTING_VALUES).toSorted());
    for (const name of Object.values(SETTING_OF)) expect(ofTarget.map((row) => row.name)).toContain(name);
  });
});

describe('.env.example', () => {
  test('is what the table says (npm run docs writes it)', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(renderEnvExample());
  });

  test('names every setting and sets none when it is copied', () => {
    const text = renderEnvExample();
    for (const { name } of SETTINGS) expect(text).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
    expect(Object.values(parse(text)).filter((value) => value !== '')).toEqual([]);
  });
});
