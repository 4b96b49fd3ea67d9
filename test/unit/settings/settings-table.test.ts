import { readFileSync } from 'node:fs';
import { parse } from 'dotenv';
import { describe, expect, test } from 'vitest';
import { renderEnvExample } from '../../../src/settings/env-example.ts';
import type { Setting } from '../../../src/settings/setting.ts';
import { FLAG_SETTINGS, SETTINGS } from '../../../src/settings/settings-table.ts';
import { VALUE_RULES } from '../../../src/settings/value-rules.ts';

const ROWS: readonly Setting[] = SETTINGS;
const EXAMPLE = new URL('../../../.env.example', import.meta.url);

describe('the table of settings', () => {
  test('names each setting once', () => {
    const names = ROWS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  test('derives the variable of a flag from the flag', () => {
    for (const { name, flag } of FLAG_SETTINGS) expect(name).toBe(`PCS_${flag.toUpperCase().replaceAll('-', '_')}`);
    expect(FLAG_SETTINGS.length).toBe(30);
  });

  test('offers no flag for a secret but a gateway header, which is asked for', () => {
    expect(ROWS.filter(({ secret }) => secret).map(({ name, flag }) => [name, flag])).toEqual([
      ['PCS_ACCESS_TOKEN', undefined],
      ['PCS_OTHER_ORG_ACCESS_TOKEN', undefined],
      ['PCS_REVOKED_ACCESS_TOKEN', undefined],
      ['PCS_INBOUND_SECRET', undefined],
      ['PCS_HEADER', 'header'],
    ]);
  });

  test('holds defaults that its own rules accept', () => {
    for (const row of ROWS) {
      if (row.default !== undefined) expect(VALUE_RULES[row.kind](row.default, row)).toHaveProperty('value');
    }
  });

  test('gives every number its bounds and every choice its words', () => {
    for (const { kind, min, max, choices } of ROWS) {
      if (kind === 'integer' || kind === 'decimal') expect([typeof min, typeof max]).toEqual(['number', 'number']);
      if (kind === 'choice') expect(choices?.length).toBeGreaterThan(1);
    }
  });
});

describe('.env.example', () => {
  test('is what the table says', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(renderEnvExample());
  });

  test('names every setting and sets none when it is copied', () => {
    const text = renderEnvExample();
    for (const { name } of ROWS) expect(text).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
    expect(Object.values(parse(text)).filter((value) => value !== '')).toEqual([]);
  });
});
