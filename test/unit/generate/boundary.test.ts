import { describe, expect, test } from 'vitest';
import { BODY_SCHEMAS, type JsonSchema } from '../../../src/contract/schemas.ts';
import { boundaryGroups, integerEdges } from '../../../src/generate/boundary.ts';
import { BODY_LIMIT, type JsonObject, sizeOf } from '../../../src/generate/json.ts';
import { oracle } from './oracle.ts';
import { CALL_OPTIONS, SUBJECTS } from './subjects.ts';

const groupsOf = (name: 'call-create' | 'trunk-update', options = {}) => boundaryGroups(BODY_SCHEMAS[name], options);

describe.each(SUBJECTS)('boundary values of $name', ({ schema, options, base }) => {
  const rejectionsOf = oracle(schema);

  test('are valid, small, and come back from serialization', () => {
    for (const { value } of boundaryGroups(schema, options)) {
      expect(rejectionsOf(value)).toEqual([]);
      expect(sizeOf(value)).toBeLessThan(BODY_LIMIT);
      expect(JSON.stringify(JSON.parse(JSON.stringify(value)))).toBe(JSON.stringify(value));
    }
  });

  test('include integers at the limits that are valid', () => {
    for (const { textOf, literal } of integerEdges(schema, options)) {
      const text = textOf(base);
      expect(text).toContain(literal);
      expect(rejectionsOf(JSON.parse(text))).toEqual([]);
    }
  });
});

describe('boundary values of create call', () => {
  const groups = groupsOf('call-create', CALL_OPTIONS);
  const body = (theme: string) => groups.find((group) => group.theme === theme)?.value as JsonObject;

  test('come in five groups that do not touch numbers and ids', () => {
    expect(groups.map(({ theme }) => theme)).toEqual(['empty', 'many', 'long', 'characters', 'null-character']);
    for (const { value } of groups) {
      expect(value).toMatchObject({ from: '+15550100', to: '+15550101' });
      expect(Object.keys(value as JsonObject).filter((name) => name.endsWith('_id'))).toEqual([]);
    }
  });

  test('come several in a body', () => {
    expect(body('empty')).toMatchObject({ variables: {}, dtmf_mode: '', codecs: [], media_encryption: '' });
    expect(Object.keys(body('many')['variables'] ?? {})).toHaveLength(40);
    expect(body('many')['codecs']).toHaveLength(20);
    expect(body('many')['dtmf_mode']).toHaveLength(300);
    expect(body('long')['variables']).toEqual({ key: 'x'.repeat(5000), ['n'.repeat(129)]: 'plain' });
    expect(JSON.stringify(body('null-character'))).toContain('a\\u0000b');
  });

  test('include names that every object inherits as own members', () => {
    const { variables } = JSON.parse(JSON.stringify(body('characters'))) as { variables: object };
    expect(Object.keys(variables)).toEqual(['', '__proto__', 'constructor', 'größe', '😀', 'a"b\\c']);
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
  });

  test('are named with their place', () => {
    expect(groups[0]?.label).toBe('/variables: {}, /dtmf_mode: empty, /codecs: [], /media_encryption: empty');
    expect(groups[2]?.features).toEqual([{ pointer: '/variables', choice: '5,000 characters in a pair' }]);
  });

  test('are in the variables only if the rest is excluded', () => {
    const few = groupsOf('call-create', { ...CALL_OPTIONS, exclude: ['/dtmf_mode', '/codecs', '/media_encryption'] });
    expect(few.map(({ features }) => features.map(({ pointer }) => pointer))).toEqual(few.map(() => ['/variables']));
    expect(few).toHaveLength(5);
  });
});

describe('boundary values', () => {
  test('show non-ASCII characters, astral characters and escapes in three strings', () => {
    const characters = groupsOf('trunk-update').find(({ theme }) => theme === 'characters');
    expect(characters?.features.map(({ choice }) => choice)).toEqual([
      'non-ASCII characters',
      'astral characters',
      'escapes',
    ]);
  });

  test('are left out if the body would grow too large', () => {
    const names = Array.from({ length: 40 }, (_, index) => `m${index}`);
    const schema: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(names.map((n) => [n, { type: 'string' }])),
    };
    const many = boundaryGroups(schema).find(({ theme }) => theme === 'many');
    expect(many?.features).toHaveLength(26);
    expect(sizeOf(many?.value ?? null)).toBeLessThan(BODY_LIMIT);
  });

  test('leave arrays and maps alone unless they hold strings', () => {
    const integer: JsonSchema = { type: 'integer' };
    const properties = {
      list: { type: 'array', items: integer },
      map: { type: 'object', additionalProperties: integer },
    } as const;
    expect(boundaryGroups({ type: 'object', properties })).toEqual([]);
  });

  test('include at most one long string in a body', () => {
    expect(groupsOf('trunk-update').find(({ theme }) => theme === 'long')?.label).toBe('/name: 5,000 characters');
  });

  test('do not exist if only an id can vary', () => {
    expect(boundaryGroups(BODY_SCHEMAS['number-assignment'], { fixed: { '/carrier_connection_id': 'an id' } })).toEqual(
      [],
    );
  });
});

describe('integers at the limits', () => {
  test('keep their notation in the text', () => {
    const edges = integerEdges(BODY_SCHEMAS['voice-application-update']);
    expect(edges.map(({ textOf }) => textOf({ name: 'a' }))).toEqual(
      [
        ...['0', '-1', '2147483647', '2147483648', '-2147483649', '9007199254740993', '9223372036854775808'],
        ...['18446744073709551616', '1e308', '1e400', '1.0'],
      ].map((literal) => `{"name":"a","ring_timeout_seconds":${literal}}`),
    );
    expect(edges.at(-1)?.label).toBe('/ring_timeout_seconds is 1.0');
  });

  test('do not touch fixed and excluded places', () => {
    const schema = BODY_SCHEMAS['voice-application-update'];
    expect(integerEdges(schema, { exclude: ['/ring_timeout_seconds'] })).toEqual([]);
    expect(integerEdges(schema, { fixed: { '/ring_timeout_seconds': '20' } })).toEqual([]);
  });
});
