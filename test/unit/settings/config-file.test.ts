import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/settings/read-settings.ts';
import { CONFIG_FILE, type Flags, IN_FILE, nameInFile } from '../../../src/settings/sources.ts';

const read = (content: unknown, env: Readonly<Record<string, string>> = {}, flags: Flags = {}, envFile = '') => {
  const files = new Map([
    ['.env', envFile],
    [CONFIG_FILE, typeof content === 'string' ? content : JSON.stringify(content)],
  ]);
  return readSettings({ reference: true, ...flags }, { env, textOf: (path) => files.get(path), canRead: () => true });
};

describe('pcs-conformance.json', () => {
  test('sets what flags and variables set, with texts, numbers, switches and lists', () => {
    const content = {
      $schema: 'x',
      profile: 'full',
      'max-calls': 15,
      strict: true,
      without: ['answer', 'mute'],
      explore: 2000,
    };
    expect(read(content)).toMatchObject({
      profile: 'full',
      maxCalls: 15,
      strict: true,
      without: ['answerCall', 'muteParticipant'],
      explore: 2_000,
    });
  });

  test('comes after flags, the environment and .env', () => {
    const seedOf = (...given: Parameters<typeof read>) => read(...given).seed;
    expect(seedOf({ seed: 1 })).toBe(1);
    expect(seedOf({ seed: 1 }, {}, {}, 'PCS_SEED=2')).toBe(2);
    expect(seedOf({ seed: 1 }, { PCS_SEED: '3' }, {}, 'PCS_SEED=2')).toBe(3);
    expect(seedOf({ seed: 1 }, { PCS_SEED: '3' }, { seed: '4' }, 'PCS_SEED=2')).toBe(4);
  });

  test('lies beside the file that --settings names', () => {
    const files = new Map([
      ['staging/.env', ''],
      [`staging/${CONFIG_FILE}`, '{"seed":5}'],
      [CONFIG_FILE, '{"seed":6}'],
    ]);
    const environment = { env: {}, textOf: (path: string) => files.get(path), canRead: () => true };
    expect(readSettings({ reference: true, settings: 'staging/.env' }, environment).seed).toBe(5);
  });

  test('is an error where a value would be dropped or altered, beside all other errors', () => {
    const content = '{"max-calls": 1, "max-calls":24, "PCS_NUMBER_ID": 12345678901234567890, "profle": "a"}';
    const problem = [
      'pcs-conformance.json holds max-calls twice: keep one of them.',
      'PCS_NUMBER_ID in pcs-conformance.json is a number that JSON does not keep exactly: write it as a text.',
      'pcs-conformance.json holds "profle", which is not a setting: did you mean profile?',
    ];
    expect(() => read(content, {}, {}, 'set PCS_SEED=7')).toThrow(
      ['Line 1 of .env (PCS_SEED) is not NAME=value: write it as PCS_SEED=value.', ...problem].join('\n'),
    );
  });

  test.each([
    [
      { PCS_ACCESS_TOKEN: 'a' },
      'holds PCS_ACCESS_TOKEN, which is a secret: set PCS_ACCESS_TOKEN in the environment or in .env.',
    ],
    [{ header: 'X-Key: a' }, 'holds header, which is a secret: set PCS_HEADER in the environment or in .env.'],
    [{ profle: 'full' }, 'holds "profle", which is not a setting: did you mean profile?'],
    [{ settings: 'a' }, 'holds "settings", which is not a setting: see schemas/settings.schema.json for the names.'],
    ['{', 'is not JSON: correct it, or remove it.'],
    [[], 'is not an object: write it as in {"profile": "full"}.'],
  ])('%j is rejected in one sentence', (content, sentence) => {
    expect(() => read(content)).toThrow(`${CONFIG_FILE} ${sentence}`);
  });

  test('names the member and the file of a wrong value', () => {
    expect(() => read({ seed: 'x' })).toThrow(`seed in ${CONFIG_FILE} ("x") is not a whole number`);
    expect(() => read({ seed: null })).toThrow(
      `seed in ${CONFIG_FILE} (null) has the wrong type: write a text or a number.`,
    );
    expect(() => read({ only: [1] })).toThrow('has the wrong type: write a text or a list of texts.');
  });

  test('has a schema, which follows from the table and holds no secret', () => {
    const schema = JSON.parse(readFileSync(new URL('../../../schemas/settings.schema.json', import.meta.url), 'utf8'));
    const described = IN_FILE.map((row) => [nameInFile(row), row.help]);
    const { $schema: _, ...properties } = schema.properties as Record<string, { readonly description: string }>;
    expect(Object.entries(properties).map(([name, { description }]) => [name, description])).toEqual(described);
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    expect(validate({ $schema: './x', profile: 'full', 'max-calls': 15, without: ['answer'] })).toBe(true);
    expect([validate({ PCS_ACCESS_TOKEN: 'a' }), validate({ profile: 'half' }), validate({ seed: -1 })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(IN_FILE.map(nameInFile).filter((name) => /TOKEN|SECRET|^header$/.test(name))).toEqual([]);
  });
});
